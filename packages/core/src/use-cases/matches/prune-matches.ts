import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'
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

const removeSome = (ctx: Service, until: number) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ended = await ctx.storage.matches.listEnded({ until, limit: AT_ONCE })
    for (const match of ended) draft.remove('match', match)
    return { draft, answer: ended.length }
  })
