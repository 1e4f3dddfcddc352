import type { Service } from '../node/service'
import { PROBLEM_CODES, type ProjectProblem } from '../project/problem'
import type { Project } from '../project/project'
import { budgetProblems } from './budget'
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

/** Returns the problems of a project, the most severe first, computed at most once in three seconds on this node. */
export const problemsNow = (ctx: Service, project: Project): Promise<readonly ProjectProblem[]> =>
  ctx.node.problems.get(project.id, async () => {
    const { data: queues } = await ctx.storage.queues.list(project.id, { limit: MAX_QUEUES_READ, offset: 0 })
    const found = await Promise.all([
      failedServers(ctx, project.id),
      missingBuilds(ctx, queues),
      failedBuilds(ctx, project.id),
      planLimits(ctx, project),
      budgetProblems(ctx, project),
      troubledWebhooks(ctx, project),
      waitingForRoom(ctx, queues),
      silentNodes(ctx, project.id),
      pausedMachines(ctx, project.id),
      longWaits(ctx, queues),
    ])
    return found.flat().sort(gravestFirst).slice(0, MAX_PROBLEMS)
  })

const gravestFirst = (a: ProjectProblem, b: ProjectProblem): number =>
  Number(b.severity === 'error') - Number(a.severity === 'error') ||
  PROBLEM_CODES.indexOf(a.code) - PROBLEM_CODES.indexOf(b.code) ||
  b.count - a.count
