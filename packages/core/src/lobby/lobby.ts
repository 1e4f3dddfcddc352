import type { Region } from '../catalog/regions'
import type { ServerSummary } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { CarriedByStay } from './carried'
import type { LobbyExit } from './last-exit'
import type { LobbyProposal } from './proposal'

export const LOBBY_STATUSES = ['waiting', 'in_queue', 'matched', 'starting', 'in_game'] as const
export type LobbyStatus = (typeof LOBBY_STATUSES)[number]

export interface LobbyPlayer {
  readonly playerId: string
  readonly joinedAt: Instant
  readonly state: JsonObject
  /**
   * Fields of the state whose values come from the project's backend or from a player token. Absent: no such fields. The API does not show
   * this list.
   */
  readonly proven?: readonly string[]
  /** Fields of the state that only the player and backends see, by the rules of the queue. Absent: no such fields. */
  readonly hidden?: readonly string[]
  /** Present when a client key, and not a backend, brought the player into the lobby. The API does not show it. */
  readonly byClient?: true
}

/** Stay of a lobby in its queue. The id names the ticket's row, which changes only in commits that change the lobby. */
export interface LobbyTicket extends CarriedByStay {
  readonly id: string
  readonly version: number
  readonly enteredAt: Instant
  /** Instant at which the ticket times out. Absent in rows of an earlier release. */
  readonly expiresAt?: Instant
  /** Number of times in a row that the service put the lobby back after a failed launch, at most MAX_REQUEUES; absent for none. */
  readonly requeues?: number
  /** Trace context of the call that put the lobby into the queue; absent without tracing. The API does not show it. */
  readonly trace?: string
}

/** Stay in the queue that the lobby had before its match, until the match runs. */
export interface KeptStay extends Pick<CarriedByStay, 'vouched'> {
  readonly enteredAt: Instant
  readonly expiresAt: Instant
  /** Number of times in a row that the service put the lobby back after a failed launch, including a pending time. */
  readonly requeues: number
  readonly trace?: string
}

/** Players who gather, queue and play together. `version` is public and numbers the stream events of the lobby. */
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
  /** Players in the order of joining. */
  readonly players: readonly LobbyPlayer[]
  readonly name: string | null
  readonly region: Region | null
  readonly inviteCode: string | null
  readonly settings: JsonObject
  /** Server of the lobby's match; null until the launch has ports, and in `waiting`. */
  readonly server: ServerSummary | null
  readonly matchId: string | null
  /** Ticket of the lobby; null unless the lobby is `in_queue` and no proposed match holds it. */
  readonly ticket: LobbyTicket | null
  /** Proposed match that holds the lobby; absent without one. Read this field with `proposalOf`. */
  readonly proposal?: LobbyProposal
  /**
   * Stay to which the service returns the lobby when its match fails to launch. Present from the match on until the match runs, and in
   * `waiting` while the return is pending. The API does not show it.
   */
  readonly keptStay?: KeptStay
  /** Instant at which the lobby moved to its present queue; absent when the lobby was created there. */
  readonly movedAt?: Instant
  /** Last return of the lobby to `waiting`; null after the lobby enters the queue or starts. Absent in rows of an earlier release. */
  readonly lastExit?: LobbyExit | null
  /**
   * Unique key for the filter of the quick join that created the lobby, until the lobby is full, closed or changed. While the lobby holds
   * the key, quick joins with that filter join this lobby, and none of them creates another lobby.
   */
  readonly quickJoinKey?: string
  /**
   * Ids of banned players in the order of banning. A banned player is never a member. Absent for readers that may not see bans, and in rows
   * of an earlier release.
   */
  readonly banned?: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
