import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { transact } from '../../commit/transact'
import { type Backlog, backlogId } from '../../consumer/backlog'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'
import { consumersOf } from '../../project/project'
import { DAY_MS } from '../../shared/time'

/** Maximum number of matches that one commit removes. */
const AT_ONCE = 100
/** Maximum number of rows that one commit removes: matches, and backlogs of consumers that never handled their messages. */
const ROWS = 200
/** Maximum number of commits of one run; the next run removes further matches. */
const COMMITS = 100

/** Removes matches that ended longer ago than `matchRetentionDays`, in slices. Their labels and keys go with their rows. */
export async function pruneMatches(ctx: Service): Promise<void> {
  const until = ctx.clock.now() - ctx.settings.matchRetentionDays * DAY_MS
  const slices = new Slices(ctx)
  for (let commits = 0; commits < COMMITS; commits++) {
    if (!(await removeSome(ctx, until))) return
    await slices.pause()
  }
}

/** Removes some matches. Returns whether matches may be left. */
const removeSome = (ctx: Service, until: number): Promise<boolean> =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ended = await ctx.storage.matches.listEnded({ until, limit: AT_ONCE })
    const backlogs = await backlogsOf(ctx, ended)
    let rows = 0
    for (const match of ended) {
      const its = backlogs.filter(({ matchId }) => matchId === match.id)
      rows += 1 + its.length
      if (rows > ROWS) return { draft, answer: true }
      draft.remove('match', match)
      for (const backlog of its) draft.remove('backlog', backlog).job(...followUps.backlogPruned(backlog, draft.at))
    }
    return { draft, answer: ended.length === AT_ONCE }
  })

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
