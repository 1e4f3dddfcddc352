import { Draft } from '../../commit/draft'
import { removeBans } from '../../commit/rows/ban'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'
import { DAY_MS, type Instant } from '../../shared/time'

/** Milliseconds for which a ban is listed after its end. */
export const ENDED_BANS_KEPT_MS = 30 * DAY_MS
/** Maximum number of bans that one commit removes. */
const AT_ONCE = 100

/** Removes bans that ended long ago, in slices. Each commit also corrects the number of bans of one project. */
export async function pruneBans(ctx: Service): Promise<void> {
  const until = ctx.clock.now() - ENDED_BANS_KEPT_MS
  const slices = new Slices(ctx)
  for (;;) {
    const ended = await ctx.storage.bans.listEnded({ until, limit: AT_ONCE })
    for (const projectId of new Set(ended.map((ban) => ban.projectId))) {
      const ids = ended.filter((ban) => ban.projectId === projectId).map(({ id }) => id)
      await forget(ctx, projectId, ids, until)
    }
    if (ended.length < AT_ONCE) return
    await slices.pause()
  }
}

const forget = (ctx: Service, projectId: string, ids: readonly string[], until: Instant) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const project = await ctx.storage.get('project', projectId)
    // A ban may have been replaced by a new one meanwhile.
    const ended = (await ctx.storage.getMany('ban', ids)).filter((ban) => ban.until !== null && ban.until <= until)
    if (project !== undefined && ended.length > 0) removeBans(draft, project, ended)
    return { draft, answer: null, isContended: true }
  })
