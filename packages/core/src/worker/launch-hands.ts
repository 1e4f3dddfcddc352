import { jobs } from '../commit/jobs'
import type { LaunchHands } from '../runtime/line'
import type { JobRunner } from './job-runner'

/**
 * Runs launches that got capacity on this node, in the job slots of the launch lane. Each launch has a claim, so that another node
 * continues it when this process dies.
 */
export const launchHands = (runner: JobRunner): LaunchHands => ({
  isFree: () => !runner.isFull,
  launch: async (instanceId) =>
    void (await runner.takeInHand(jobs.launchServer({ id: instanceId, accountId: '' }, 0).id)),
})
