import type { MatchInMessage } from '../match/in-message'
import type { ConsumedType } from '../project/consumer'
import type { ServerSummary } from '../server/game-server'
import type { Instant } from '../shared/time'

/** Message that a handler of a consumer gets: one event of a match, with the match. */
export interface ConsumedMessage {
  /** Project of the match. */
  readonly projectId: string
  /** Type of the event, for example `match.result`. */
  readonly type: ConsumedType
  /** Match of the event. */
  readonly matchId: string
  /**
   * Position of the message among the messages of its match, a whole number. A repeated message has the same cursor, and each later message
   * of the match has a higher one. A handler that stores the highest cursor of each match in its own transaction handles each message once.
   */
  readonly cursor: number
  /** Instant of the event, in milliseconds since 1970. */
  readonly at: Instant
  /** The match in its present state, which includes this event and possibly later ones. */
  readonly match: MatchInMessage
  /** Game server of the match; null without a server. */
  readonly server: ServerSummary | null
  /**
   * Instant, a minute after the start of this call, after which another node may handle the message again, even if this call still runs. The
   * node of this call starts no other call for the match before this one ends.
   */
  readonly deadline: Instant
}

/** Handles one message. When it throws or takes too long, the message is handled again after a backoff, possibly on another node. */
export type ConsumeHandler = (message: ConsumedMessage) => unknown
