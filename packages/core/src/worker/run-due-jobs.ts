import type { Service } from '../node/service'
import { advanceLine } from '../runtime/line'
import { JobRunner } from './job-runner'
import { LANE_NAMES } from './lanes'
import { launchHands } from './launch-hands'

/** Bounds of a single pass, which no other work waits for. */
const AT_ONCE = { hands: 64, perTenant: 64 }

/**
 * Claims the due jobs of every lane, runs them and waits for them; then launches waiting servers when there is capacity. Returns the number
 * of jobs.
 */
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
