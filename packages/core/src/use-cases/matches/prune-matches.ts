import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { type Backlog, backlogId } from '../../consumer/backlog'
import { consumeJobId } from '../../consumer/job-kind'
import type { Match } from '../../match/match'
import { JOB_LEASE_MS } from '../../node/job-lease'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'
import { consumersOf } from '../../project/project'
import { DAY_MS } from '../../shared/time'

/** Maximum number of matches that one commit removes. */
const AT_ONCE = 100
/** Maximum number of commits of one run; the next run removes further matches. */
const COMMITS = 100

/** Removes matches that ended longer ago than `matchRetentionDays`, in slices. Their labels and keys go with their rows. */
export async function pruneMatches(ctx: Service): Promise<void> {
  const until = ctx.clock.now() - ctx.settings.matchRetentionDays * DAY_MS
  const slices = new Slices(ctx)
  for (let commits = 0; commits < COMMITS; commits++) {
    const removed = await removeSome(ctx, until)
    if (removed < AT_ONCE) return
    await slices.pause()
  }
}

async function removeSome(ctx: Service, until: number): Promise<number> {
  const { count, backlogs } = await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ended = await ctx.storage.matches.listEnded({ until, limit: AT_ONCE })
    for (const match of ended) draft.remove('match', match)
    const backlogs = await backlogsOf(ctx, ended)
    for (const backlog of backlogs) draft.remove('backlog', backlog)
    return { draft, answer: { count: ended.length, backlogs } }
  })
  for (const { id } of backlogs) await completeJob(ctx, consumeJobId(id))
  return count
}

/** Returns the backlogs of consumers that never handled the messages of these matches. */
async function backlogsOf(
  ctx: Service,
  matches: readonly Pick<Match, 'id' | 'projectId'>[],
): Promise<readonly Backlog[]> {
  const projects = await ctx.storage.getMany('project', [...new Set(matches.map(({ projectId }) => projectId))])
  const consumers = new Map(projects.map((project) => [project.id, consumersOf(project)]))
  const ids = matches.flatMap(({ projectId, id: matchId }) =>
    (consumers.get(projectId) ?? []).map(({ name: consumer }) => backlogId({ projectId, consumer, matchId })),
  )
  return ids.length === 0 ? [] : ctx.storage.getMany('backlog', ids)
}

// Only nodes with the handler of the consumer claim such a job, so it would stay for ever when no node has the handler.
async function completeJob(ctx: Service, id: string): Promise<void> {
  const claim = { now: ctx.clock.now(), leaseMs: JOB_LEASE_MS, holder: ctx.settings.nodeId }
  const job = await ctx.storage.jobs.take(id, claim)
  if (job !== undefined) await ctx.storage.jobs.complete(job)
}
