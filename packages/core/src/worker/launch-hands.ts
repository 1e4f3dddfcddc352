import { jobs } from '../commit/jobs'
import type { LaunchHands } from '../runtime/line'
import type { JobRunner } from './job-runner'

/** Runs launches that were given capacity here in the lane's hands, under a claim: when this process dies, another node continues them. */
export const launchHands = (runner: JobRunner): LaunchHands => ({
  isFree: () => !runner.isFull,
  launch: async (instanceId) =>
    void (await runner.takeInHand(jobs.launchServer({ id: instanceId, accountId: '' }, 0).id)),
})
