import type { Draft } from '../../commit/draft'
import { putChangedQueue as putChange } from '../../commit/rows/queue'
import type { Ports } from '../../ports/ports'
import { isUnchanged, type QueueChange } from '../../queue/changes'
import { QUEUE_VERSIONS_KEPT, queueVersion, queueVersionId } from '../../queue/queue-version'
import { actorOf, type ByActor } from '../../reads/actor'
import { type QueueAnswer, withWarnings } from '../../reads/queue-warnings'

/** Adds a valid change of a queue to the draft, and its version to the queue's history. Adds nothing when the queue is unchanged. */
export async function changeQueue(
  ctx: Ports,
  draft: Draft,
  change: QueueChange,
  { by }: ByActor,
): Promise<QueueAnswer> {
  if (isUnchanged(change)) return withWarnings(ctx, change.before)
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
