import type { Context } from '../context/context'
import { type CommitConflict, OutcomeUnknown } from '../ports/storage/index'
import type { Draft } from './draft'

/** Commits a draft and tells its events; answers what stood in the way, if anything did. */
export async function apply(ctx: Context, draft: Draft): Promise<CommitConflict | undefined> {
  const commit = draft.toCommit(ctx.ids.next('cmt'))
  const result = await commitOnce(ctx, commit)
  if (!result.ok) {
    ctx.onConflict(result.conflict)
    return result.conflict
  }
  for (const event of draft.told) {
    ctx.events.emit(event.type, event as never)
    ctx.events.emit('*', event)
  }
  return undefined
}

/** A lost answer is looked up by the commit's id; applying again is safe because every write expects a version. */
async function commitOnce(ctx: Context, commit: Parameters<Context['storage']['commit']>[0]) {
  try {
    return await ctx.storage.commit(commit)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    ctx.logger.warn('the outcome of a commit is unknown; looking it up', { commit: commit.id })
    if (await ctx.storage.commits.find(commit.id)) return { ok: true } as const
    return ctx.storage.commit(commit)
  }
}
