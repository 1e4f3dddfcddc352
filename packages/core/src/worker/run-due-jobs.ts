import type { Service } from '../node/service'
import { advanceLine } from '../runtime/line'
import { JobRunner } from './job-runner'
import { LANE_NAMES } from './lanes'
import { launchHands } from './launch-hands'

/** A caller of a single pass has no loop on which others wait. */
const AT_ONCE = { hands: 64, perTenant: 64 }

/** Claims what is due in every lane, carries it out and waits for it, and gives the room that there is then to those who wait for it; answers how many jobs there were. */
export async function runDueJobs(ctx: Service): Promise<number> {
  const counts = await Promise.all(
    LANE_NAMES.map(async (lane) => {
      const runner = new JobRunner(ctx, lane, undefined, AT_ONCE)
      const claimed = await runner.claim(ctx.clock.now())
      await runner.drain()
      return claimed
    }),
  )
  const hands = new JobRunner(ctx, 'launches', undefined, AT_ONCE)
  await advanceLine(ctx, launchHands(hands))
  await hands.drain()
  return counts.reduce((sum, count) => sum + count, 0)
}
