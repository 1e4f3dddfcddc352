import { type Backlog, newBacklog, type OfBacklog, type PendingMessage, withLater } from '../../consumer/backlog'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/**
 * Adds messages to the backlog of a consumer and a match. A new backlog gets a job; an old one has a job already. Messages of a consumer that
 * was removed, and added again, are replaced.
 */
export function putMessages(
  draft: Draft,
  before: Backlog | undefined,
  of: OfBacklog,
  messages: readonly PendingMessage[],
): void {
  if (before !== undefined) {
    const waiting = before.sinceVersion === of.sinceVersion ? before.messages : []
    draft.update('backlog', before, newBacklog(of, withLater(waiting, messages)))
  } else draft.job(...followUps.backlogMade(draft.create('backlog', newBacklog(of, messages)), draft.at))
}

/** Replaces the messages of a backlog. A backlog without messages is removed. */
export function writeMessages(draft: Draft, before: Backlog, messages: readonly PendingMessage[]): void {
  if (messages.length === 0) draft.remove('backlog', before)
  else draft.update('backlog', before, { ...before, messages })
}
