import type { Context } from '../context/context'
import { advanceLine } from '../runtime/line'
import { JobRunner } from './job-runner'
import { LANE_NAMES } from './lanes'
import { launchHands } from './launch-hands'

/** Whoever asks for one pass has no loop that others wait for. */
const AT_ONCE = { hands: 64, perTenant: 64 }

/** Gives room to those who wait for it; claims what is due in every lane, carries it out and waits for it; answers how many jobs there were. */
export async function runDueJobs(ctx: Context): Promise<number> {
  const hands = new JobRunner(ctx, 'launches', undefined, AT_ONCE)
  await advanceLine(ctx, launchHands(hands))
  await hands.drain()
  const counts = await Promise.all(
    LANE_NAMES.map(async (lane) => {
      const runner = new JobRunner(ctx, lane, undefined, AT_ONCE)
      const claimed = await runner.claim(ctx.clock.now())
      await runner.drain()
      return claimed
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
