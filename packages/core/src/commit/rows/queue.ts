import { isStricter, type QueueChange } from '../../queue/changes'
import type { Queue } from '../../queue/queue'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** A new queue. */
export function createQueue(draft: Draft, queue: Queue): Queue {
  draft.create('queue', queue)
  tellAbout(draft, queue)
  return queue
}

/** Other settings: those who wait in it, and its lobbies, are looked at under them. */
export function changeQueue(draft: Draft, { before, after }: QueueChange): Queue {
  const watched = isStricter({ before, after }) ? { watchedSince: draft.at } : {}
  const written = draft.update('queue', before, { ...after, ...watched, updatedAt: draft.at })
  tellAbout(draft, written)
  draft.job(...followUps.queueChanged({ before, after: written }, draft.at))
  return written
}

export function removeQueue(draft: Draft, queue: Queue): void {
  draft.remove('queue', queue)
  tellAbout(draft, queue)
}

const tellAbout = (draft: Draft, { queueId, projectId }: Queue) =>
  draft.tell({ type: 'queue_changed', queueId, projectId })
