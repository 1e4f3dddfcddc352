import { type ConsumedType, consumerKey } from '../project/consumer'
import type { Instant } from '../shared/time'

/** Message that a consumer has not handled. */
export interface PendingMessage {
  readonly type: ConsumedType
  /** Position of the message among the messages of its match. Each later message of the match has a higher cursor. */
  readonly cursor: number
  /** Instant of the event. */
  readonly at: Instant
}

/**
 * Messages about one match that a consumer has not handled, oldest first. The row exists only while there are such messages, and the commit
 * of an event writes it. Each type occurs at most once, because a handler reads the match in its present state: a later message of a type
 * replaces an earlier one that still waits.
 */
export interface Backlog {
  /** Key of the consumer and id of the match, joined by `/`. */
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly consumer: string
  readonly matchId: string
  readonly messages: readonly PendingMessage[]
}

/** Consumer and match of a backlog. */
export type OfBacklog = Pick<Backlog, 'projectId' | 'consumer' | 'matchId'>

export const backlogId = ({ projectId, consumer, matchId }: OfBacklog): string =>
  `${consumerKey(projectId, consumer)}/${matchId}`

/** Maximum number of messages about one match that one commit causes, a power of ten for readable cursors. */
const PLACES = 10

/** Returns the cursor of a message: the version of the match after the event, and the place of the message in the event's commit. */
export const messageCursor = (matchVersion: number, place: number): number => matchVersion * PLACES + place

export const newBacklog = (of: OfBacklog, messages: readonly PendingMessage[]): Backlog => ({
  ...{
    id: backlogId(of),
    version: 1,
    projectId: of.projectId,
    consumer: of.consumer,
    matchId: of.matchId,
  },
  messages,
})

/** Returns the messages with later ones. A later message replaces the waiting message of its type. */
export const withLater = (
  waiting: readonly PendingMessage[],
  later: readonly PendingMessage[],
): readonly PendingMessage[] => [...waiting.filter(({ type }) => !later.some((one) => one.type === type)), ...later]

/** Returns the messages that still wait after one was handled. A message that replaced it meanwhile still waits. */
export const withoutHandled = (
  waiting: readonly PendingMessage[],
  handled: PendingMessage,
): readonly PendingMessage[] => waiting.filter(({ cursor }) => cursor !== handled.cursor)
