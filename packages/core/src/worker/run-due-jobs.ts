import type { Service } from '../node/service'
import { advanceLine } from '../runtime/line'
import { JobRunner } from './job-runner'
import { LANE_NAMES } from './lanes'
import { launchHands } from './launch-hands'

/**
 * Maximum number of jobs that run at the same time in a single pass, for all tenants and for one tenant. It is high, because no other work
 * waits for the pass.
 */
const AT_ONCE = { hands: 64, perTenant: 64 }

/**
 * Claims the due jobs of every lane, runs them and waits for them. Then launches waiting servers when capacity is free. Returns the number
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
