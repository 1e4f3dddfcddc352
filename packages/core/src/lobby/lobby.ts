import type { Region } from '../catalog/regions'
import type { ServerSummary } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { LobbyExit } from './last-exit'
import type { LobbyProposal } from './proposal'

export const LOBBY_STATUSES = ['waiting', 'in_queue', 'matched', 'starting', 'in_game'] as const
export type LobbyStatus = (typeof LOBBY_STATUSES)[number]

export interface LobbyPlayer {
  readonly playerId: string
  readonly joinedAt: Instant
  readonly state: JsonObject
  /** Fields of the state whose values come from the project's backend or from a player token; absent: none. Not shown to callers. */
  readonly proven?: readonly string[]
}

/** Stay of a lobby in its queue. It identifies the ticket's row, which changes only in commits that change the lobby. */
export interface LobbyTicket {
  readonly id: string
  readonly version: number
  readonly enteredAt: Instant
  /** Instant at which the ticket times out. Absent in rows of an earlier release. */
  readonly expiresAt?: Instant
  /** Trace context of the call that put the lobby into the queue; absent without tracing. Not shown to callers. */
  readonly trace?: string
}

/** Players who gather, queue and play together. `version` is public: it numbers the lobby's stream events. */
export interface Lobby {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly queueId: string
  readonly status: LobbyStatus
  readonly hostPlayerId: string
  readonly isPrivate: boolean
  readonly maxPlayers: number
  /** Players in the order of joining: the first one besides the host is the longest present. */
  readonly players: readonly LobbyPlayer[]
  readonly name: string | null
  readonly region: Region | null
  readonly inviteCode: string | null
  readonly settings: JsonObject
  /** Server of the lobby's match; null before the launch has ports, and in `waiting`. */
  readonly server: ServerSummary | null
  readonly matchId: string | null
  /** Ticket of the lobby; set exactly while the lobby is `in_queue` and no proposal holds it. */
  readonly ticket: LobbyTicket | null
  /** Proposed match that holds the lobby; absent at other times. Read it with `proposalOf`. */
  readonly proposal?: LobbyProposal
  /** Instant at which the lobby moved to its queue; absent when it was created there. */
  readonly movedAt?: Instant
  /** How the lobby last returned to `waiting`; null again after it enters the queue or starts. Absent in rows of an earlier release. */
  readonly lastExit?: LobbyExit | null
  /**
   * Unique key for the filter of the quick join that created the lobby, until the lobby is full, closed or changed. While the lobby holds
   * the key, quick joins with that filter join it, and none creates another lobby.
   */
  readonly quickJoinKey?: string
  /**
   * Ids of banned players in the order of banning; a banned player is never a member. Absent for readers that may not see it, and in rows
   * of an earlier release.
   */
  readonly banned?: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
