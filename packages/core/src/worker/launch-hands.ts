import { jobs } from '../commit/jobs'
import type { LaunchHands } from '../runtime/line'
import type { JobRunner } from './job-runner'

/**
 * Returns the part of the worker that runs launches in the job slots of the launch lane, once capacity on this node is reserved for them.
 * Each launch has a claim, so that another node continues it when this process dies.
 */
export const launchHands = (runner: JobRunner): LaunchHands => ({
  isFree: () => !runner.isFull,
  launch: async (instanceId) =>
    void (await runner.takeInHand(jobs.launchServer({ id: instanceId, accountId: '' }, 0).id)),
})
