import type { Region } from '../catalog/regions'
import type { ServerSummary } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { CarriedByStay } from './carried'
import type { LobbyExit } from './last-exit'
import type { LobbyProposal } from './proposal'

/** Statuses of a lobby. `in_queue`: it searches. `matched` and `starting`: its server starts. `in_game`: its match runs. */
export const LOBBY_STATUSES = ['waiting', 'in_queue', 'matched', 'starting', 'in_game'] as const
/** Status of a lobby, one of `LOBBY_STATUSES`. */
export type LobbyStatus = (typeof LOBBY_STATUSES)[number]

/** Player in a lobby. */
export interface LobbyPlayer {
  /** Id of the player, 1 to 128 characters; the game chooses it. */
  readonly playerId: string
  /** Time at which the player joined. */
  readonly joinedAt: Instant
  /** State of the player: the fields that rules compare, and other data of the game; at most 16 KiB of JSON and 16 levels. */
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
  /** Id of the ticket: `tkt_` and a ULID. */
  readonly id: string
  /** Version of the ticket's row. */
  readonly version: number
  /** Time at which the lobby entered the queue. A ticket that continues an earlier stay keeps the time of that stay. */
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
  /** Id of the lobby: `lob_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change; also the id of the stream event. */
  readonly version: number
  /** Project of the lobby. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Queue of the lobby: the `queueId` that the developer chose. */
  readonly queueId: string
  /** Status of the lobby. */
  readonly status: LobbyStatus
  /** Player who may change, start and close the lobby; always one of `players`. */
  readonly hostPlayerId: string
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly isPrivate: boolean
  /** Maximum number of players, 1 to 100 and at most the `maxPlayers` of the queue. */
  readonly maxPlayers: number
  /** Players in the order of joining. */
  readonly players: readonly LobbyPlayer[]
  /** Display name in lists, 1 to 128 characters; null without one. */
  readonly name: string | null
  /** Region for a match that is started directly; null without one. */
  readonly region: Region | null
  /** Invite code; null when the queue has no invite codes. */
  readonly inviteCode: string | null
  /** Settings of the host, for example mode or map. A change replaces all of them. Lists can filter by the first 16 keys. */
  readonly settings: JsonObject
  /** Server of the lobby's match; null until the launch has ports, and in `waiting`. */
  readonly server: ServerSummary | null
  /** Match of the lobby; null without one. */
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
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}
