import { unavailableInsteadOf } from '../commit/transact'
import type { Service } from '../node/service'
import type { InProject } from '../project/in-project'
import { PROBLEM_CODES, type ProjectProblem } from '../project/problem'
import { requireProject } from '../reads/require'
import { failedBuilds, missingBuilds } from './builds'
import { failedServers } from './failed-servers'
import { pausedMachines } from './machines'
import { silentNodes } from './nodes'
import { planLimits } from './plan'
import { waitingForRoom } from './room'
import { longWaits } from './waiting'
import { troubledWebhooks } from './webhooks'

/** Maximum problems in one answer. */
export const MAX_PROBLEMS = 50
/** Maximum queues that are examined, in the order of their ids. */
export const MAX_QUEUES_READ = 50

/**
 * Returns the problems of a project as sentences, the most severe first. They are computed from stored rows on request, at most once in
 * three seconds on this node. Throws PROJECT_NOT_FOUND.
 */
export function listProblems(ctx: Service, { projectId }: InProject): Promise<readonly ProjectProblem[]> {
  return unavailableInsteadOf(async () => {
    const project = await requireProject(ctx, projectId)
    return ctx.node.problems.get(projectId, async () => {
      const { data: queues } = await ctx.storage.queues.list(projectId, { limit: MAX_QUEUES_READ, offset: 0 })
      const found = await Promise.all([
        failedServers(ctx, projectId),
        missingBuilds(ctx, queues),
        failedBuilds(ctx, projectId),
        planLimits(ctx, project),
        troubledWebhooks(ctx, project),
        waitingForRoom(ctx, queues),
        silentNodes(ctx, projectId),
        pausedMachines(ctx, projectId),
        longWaits(ctx, queues),
      ])
      return found.flat().sort(gravestFirst).slice(0, MAX_PROBLEMS)
    })
  })
}

const gravestFirst = (a: ProjectProblem, b: ProjectProblem): number =>
  Number(b.severity === 'error') - Number(a.severity === 'error') ||
  PROBLEM_CODES.indexOf(a.code) - PROBLEM_CODES.indexOf(b.code) ||
  b.count - a.count
