import type { Region } from '../catalog/regions'
import type { ServerSummary } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { CarriedByStay } from './carried'
import type { ExitReason } from './last-exit'
import type { Lobby, LobbyPlayer } from './lobby'
import type { LobbyProposal } from './proposal'

/**
 * Reason why a player left a lobby. `kicked`: the host or a backend removed the player. `heartbeat_lost`: the player was silent for too
 * long.
 */
export type DepartureReason = 'left' | 'kicked' | 'heartbeat_lost'
/** Reason why a lobby left its queue without a match; the same words as in `ExitReason`. */
export type QueueLeftReason =
  | 'cancelled'
  | 'timeout'
  | 'player_left'
  | 'declined'
  | 'not_answered'
  | 'unmatchable'
  | 'matched_elsewhere'
  | 'banned'
/** Reason why a lobby was deleted. `empty`: the last player left. `idle`: it had no activity for the `lobbyTtlSeconds` of its queue. */
export type LobbyDeletedReason = 'deleted' | 'empty' | 'host_left' | 'idle' | 'project_deleted'

/** Changes of a lobby's own fields. An absent field keeps its value. */
export interface LobbyChanges {
  /** New display name, 1 to 128 characters; null removes the name. */
  readonly name?: string | null
  /** New queue of the lobby, which then gets a new invite code. Only a `waiting` lobby can move. */
  readonly queueId?: string
  /** New region for a match that is started directly; null removes the region. */
  readonly region?: Region | null
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly isPrivate?: boolean
  /** New maximum number of players, from the present number of players to the `maxPlayers` of the queue. */
  readonly maxPlayers?: number
  /** New settings, which replace all earlier ones: at most 16 KiB of JSON and 16 levels. */
  readonly settings?: JsonObject
  /** New invite code. A code is drawn again when the lobby moves to another queue, and when its host requests a new code. */
  readonly inviteCode?: string | null
}

/** Events of a lobby; `evolve` applies them. */
export type LobbyEvent =
  | { readonly type: 'lobby_created'; readonly lobby: Lobby }
  | { readonly type: 'settings_changed'; readonly changes: LobbyChanges }
  | { readonly type: 'player_joined'; readonly player: LobbyPlayer }
  /** `proven`: fields whose values come from the project's backend or from a player token. */
  | {
      readonly type: 'player_state_changed'
      readonly playerId: string
      readonly state: JsonObject
      readonly proven?: readonly string[]
      readonly hidden?: readonly string[]
    }
  /** `excused`: the player gets no penalty for leaving a running match. */
  | {
      readonly type: 'player_left'
      readonly playerId: string
      readonly reason: DepartureReason
      readonly excused?: true
    }
  | { readonly type: 'host_changed'; readonly playerId: string }
  | { readonly type: 'lobby_ban_added'; readonly playerId: string }
  | { readonly type: 'lobby_ban_removed'; readonly playerId: string }
  | ({
      readonly type: 'queue_entered'
      readonly ticketId: string
      readonly at: number
      /** Instant at which the ticket times out, by the queue's settings at the time of this event. */
      readonly expiresAt: number
      /** Number of times in a row that the service put the lobby back after a failed launch; absent when a host entered. */
      readonly requeues?: number
      readonly trace?: string
    } & CarriedByStay)
  | { readonly type: 'ticket_changed' }
  /** The lobby's stay in the queue no longer names a player whom its players met. */
  | { readonly type: 'meeting_erased'; readonly playerId: string }
  /** `by`: the player who caused the event; absent when no player caused it. */
  | { readonly type: 'queue_left'; readonly reason: QueueLeftReason; readonly by?: string }
  | { readonly type: 'proposal_opened'; readonly proposal: LobbyProposal }
  /** `accepted`: number of players of the match that have accepted, this player included. */
  | { readonly type: 'proposal_answered'; readonly playerId: string; readonly accepted: number }
  /** The number of accepted answers changed, because players of other lobbies of the match accepted. */
  | { readonly type: 'proposal_counted'; readonly accepted: number }
  /** The lobby searches for a match again, with the age and the deadline of its earlier ticket. */
  | { readonly type: 'queue_rejoined'; readonly ticketId: string; readonly expiresAt: number }
  /** `server`: the server of a match that already runs. */
  | { readonly type: 'lobby_matched'; readonly matchId: string; readonly server?: ServerSummary | null }
  /** `server`: the server of a match that already runs. */
  | { readonly type: 'lobby_started'; readonly matchId: string; readonly server?: ServerSummary | null }
  | { readonly type: 'server_changed'; readonly server: ServerSummary | null }
  | { readonly type: 'game_began'; readonly server: ServerSummary | null }
  /** `exit`: the reason from the list EXIT_REASONS; `reason`: a sentence. */
  | { readonly type: 'game_ended'; readonly exit: ExitReason; readonly reason: string }
  /** `requeue`: the service puts the lobby back into its queue, in a commit of its own. */
  | { readonly type: 'launch_failed'; readonly exit: ExitReason; readonly reason: string; readonly requeue?: true }
  /** The service does not put the lobby back, because its queue no longer admits the lobby, or its host cancelled. */
  | { readonly type: 'requeue_given_up' }
  | { readonly type: 'lobby_deleted'; readonly reason: LobbyDeletedReason; readonly by?: string }
