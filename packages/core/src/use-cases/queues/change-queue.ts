import type { Draft } from '../../commit/draft'
import { putChangedQueue as putChange } from '../../commit/rows/queue'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { isUnchanged, type QueueChange } from '../../queue/changes'
import type { Queue } from '../../queue/queue'
import { QUEUE_VERSIONS_KEPT, queueVersion, queueVersionId } from '../../queue/queue-version'
import { actorOf, type ByActor } from '../../reads/actor'
import { type QueueAnswer, withWarnings } from '../../reads/queue-warnings'
import { requireRating } from '../../reads/standings'

/** Throws RATING_NOT_FOUND when the queue names a rating that does not exist. The commit checks that the rating still exists. */
export async function checkRating(ctx: Ports, draft: Draft, { projectId, rating }: Queue): Promise<void> {
  if (rating != null) draft.check('rating', await requireRating(ctx, projectId, rating))
}

/** Adds a valid change of a queue to the draft, and its version to the queue's history. Adds nothing when the queue is unchanged. */
export async function changeQueue(
  ctx: Service,
  draft: Draft,
  change: QueueChange,
  { by }: ByActor,
): Promise<QueueAnswer> {
  if (isUnchanged(change)) return withWarnings(ctx, change.before)
  if (change.after.rating !== change.before.rating) await checkRating(ctx, draft, change.after)
  await makeRoom(ctx, draft, change)
  return withWarnings(ctx, putChange(draft, change, await actorOf(ctx, by)))
}

/**
 * Removes the oldest version when the history is full. Adds the state before the change when the history does not contain it, so that it
 * can be restored.
 */
async function makeRoom(ctx: Ports, draft: Draft, { before }: QueueChange): Promise<void> {
  const here = queueVersionId(before, before.version)
  const oldest = queueVersionId(before, before.version + 1 - QUEUE_VERSIONS_KEPT)
  const kept = await ctx.storage.getMany('queue-version', [here, oldest])
  if (!kept.some(({ id }) => id === here)) draft.create('queue-version', queueVersion(before, null))
  const over = kept.find(({ id }) => id === oldest)
  if (over !== undefined) draft.remove('queue-version', over)
}
