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
  /** Fields of the state whose values come from the project's backend or from a player token; absent: none. Not told to callers. */
  readonly proven?: readonly string[]
}

/** A lobby's stay in its queue: names the ticket row, which changes only in commits that change the lobby. */
export interface LobbyTicket {
  readonly id: string
  readonly version: number
  readonly enteredAt: Instant
  /** When it has waited long enough. Absent in rows of an earlier release. */
  readonly expiresAt?: Instant
  /** The place in a trace of the call that entered; absent where nobody traced it. Not told to callers. */
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
  /** In order of joining, so the first of the others is the longest present. */
  readonly players: readonly LobbyPlayer[]
  readonly name: string | null
  readonly region: Region | null
  readonly inviteCode: string | null
  readonly settings: JsonObject
  /** null until a launch has ports, and again in `waiting`. */
  readonly server: ServerSummary | null
  readonly matchId: string | null
  /** Set exactly while `in_queue` and not held by a proposal. */
  readonly ticket: LobbyTicket | null
  /** Set exactly while a proposed match holds it; `proposalOf` reads it. */
  readonly proposal?: LobbyProposal
  /** When it came to its queue from another one; absent where it was made in it. */
  readonly movedAt?: Instant
  /** How it came back to `waiting`; null again on the next entry. Absent in rows of an earlier release. */
  readonly lastExit?: LobbyExit | null
  /**
   * Unique key for the filter of the quick join that made the lobby, until the lobby is full, closed or changed. While the lobby holds the key,
   * quick joins with that filter join it, and none makes another lobby.
   */
  readonly quickJoinKey?: string
  /**
   * The ids of players whom it keeps out, in order of banning; none of them is in it. Absent where the reader is not told, and in rows
   * of an earlier release.
   */
  readonly banned?: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
