import { jobs } from '../commit/jobs'
import type { LaunchHands } from '../runtime/line'
import type { JobRunner } from './job-runner'

/** Launches that were given room here are carried out in the lane's hands, under a claim: if this process dies, another one goes on. */
export const launchHands = (runner: JobRunner): LaunchHands => ({
  isFree: () => !runner.isFull,
  launch: async (instanceId) =>
    void (await runner.takeInHand(jobs.launchServer({ id: instanceId, accountId: '' }, 0).id)),
})
