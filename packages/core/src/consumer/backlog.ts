import { type ConsumedType, type Consumer, consumerKey } from '../project/consumer'
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
  /** `sinceVersion` of the consumer for which the messages wait. */
  readonly sinceVersion: number
  readonly matchId: string
  readonly messages: readonly PendingMessage[]
}

/** Names of the consumer and the match of a backlog. */
type BacklogKey = Pick<Backlog, 'projectId' | 'consumer' | 'matchId'>
/** Consumer and match of a backlog. */
export type OfBacklog = BacklogKey & Pick<Backlog, 'sinceVersion'>

export const backlogId = ({ projectId, consumer, matchId }: BacklogKey): string =>
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
    sinceVersion: of.sinceVersion,
    matchId: of.matchId,
  },
  messages,
})

/** Returns the messages with later ones. A later message replaces the waiting message of its type. */
export const withLater = (
  waiting: readonly PendingMessage[],
  later: readonly PendingMessage[],
): readonly PendingMessage[] => [...waiting.filter(({ type }) => !later.some((one) => one.type === type)), ...later]

/**
 * Returns the messages of a backlog that the consumer wants: none for a consumer that was removed, also if it was added again, and none of a
 * type that it no longer has.
 */
export const wantedOf = (
  { sinceVersion, messages }: Pick<Backlog, 'sinceVersion' | 'messages'>,
  consumer: Consumer | undefined,
): readonly PendingMessage[] =>
  consumer?.sinceVersion === sinceVersion ? messages.filter(({ type }) => consumer.types.includes(type)) : []
