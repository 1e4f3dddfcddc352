import type { Actor } from '../../access/actor'
import { isStricter, type QueueChange } from '../../queue/changes'
import type { Queue } from '../../queue/queue'
import { type QueueVersion, queueVersion } from '../../queue/queue-version'
import { ratingRowId } from '../../rating/rating'
import { ratingQueueCounter } from '../counters'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Adds a new queue with the first version of its history. */
export function putQueue(draft: Draft, queue: Queue, by: Actor): Queue {
  draft.create('queue', queue)
  draft.create('queue-version', queueVersion(queue, by))
  countRating(draft, queue, 1)
  tellAbout(draft, queue)
  return queue
}

/**
 * Writes the changed settings of a queue, and the next version of its history. Adds jobs that check the queue's waiting parties and lobbies
 * under the new settings.
 */
export function putChangedQueue(draft: Draft, { before, after }: QueueChange, by: Actor): Queue {
  const watched = isStricter({ before, after }) ? { watchedSince: draft.at } : {}
  const written = draft.update('queue', before, { ...after, ...watched, updatedAt: draft.at })
  draft.create('queue-version', queueVersion(written, by))
  if (before.rating !== written.rating) {
    countRating(draft, before, -1)
    countRating(draft, written, 1)
  }
  tellAbout(draft, written)
  draft.job(...followUps.queueChanged({ before, after: written }, draft.at))
  return written
}

/** Removes a queue with its history. */
export function removeQueue(draft: Draft, queue: Queue, versions: readonly QueueVersion[]): void {
  draft.remove('queue', queue)
  for (const version of versions) draft.remove('queue-version', version)
  countRating(draft, queue, -1)
  tellAbout(draft, queue)
}

/** Counts the queue at the rating that it names, so that this rating is not deleted. Rows of an earlier release have no rating. */
function countRating(draft: Draft, { projectId, rating }: Queue, by: 1 | -1): void {
  if (rating != null) draft.counter(ratingQueueCounter(ratingRowId(projectId, rating)), by)
}

const tellAbout = (draft: Draft, { queueId, projectId }: Queue) =>
  draft.tell({ type: 'queue_changed', queueId, projectId })
