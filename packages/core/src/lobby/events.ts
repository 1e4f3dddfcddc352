import type { Region } from '../catalog/regions'
import type { ServerSummary } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { ExitReason } from './last-exit'
import type { Lobby, LobbyPlayer } from './lobby'
import type { LobbyProposal } from './proposal'

export type DepartureReason = 'left' | 'kicked' | 'heartbeat_lost'
export type QueueLeftReason = 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable'
export type LobbyDeletedReason = 'deleted' | 'empty' | 'host_left' | 'idle' | 'project_deleted'

/** Changes of a lobby's own fields; an absent field stays. */
export interface LobbyChanges {
  readonly name?: string | null
  readonly queueId?: string
  readonly region?: Region | null
  readonly isPrivate?: boolean
  readonly maxPlayers?: number
  readonly settings?: JsonObject
  /** Drawn anew when the lobby moves to another queue, and when its host asks for another one. */
  readonly inviteCode?: string | null
}

/** Events of a lobby; `evolve` applies them. */
export type LobbyEvent =
  | { readonly type: 'lobby_created'; readonly lobby: Lobby }
  | { readonly type: 'settings_changed'; readonly changes: LobbyChanges }
  | { readonly type: 'player_joined'; readonly player: LobbyPlayer }
  /** `proven`: fields whose values somebody vouches for. */
  | {
      readonly type: 'player_state_changed'
      readonly playerId: string
      readonly state: JsonObject
      readonly proven?: readonly string[]
    }
  | { readonly type: 'player_left'; readonly playerId: string; readonly reason: DepartureReason }
  | { readonly type: 'host_changed'; readonly playerId: string }
  | { readonly type: 'lobby_ban_added'; readonly playerId: string }
  | { readonly type: 'lobby_ban_removed'; readonly playerId: string }
  | {
      readonly type: 'queue_entered'
      readonly ticketId: string
      readonly at: number
      /** When the ticket has waited long enough by the queue's settings of this instant. */
      readonly expiresAt: number
      readonly trace?: string
    }
  | { readonly type: 'ticket_changed' }
  /** `by`: the player whose doing it was, where it was one's. */
  | { readonly type: 'queue_left'; readonly reason: QueueLeftReason; readonly by?: string }
  | { readonly type: 'proposal_opened'; readonly proposal: LobbyProposal }
  /** `accepted`: of all players of the match, with this one. */
  | { readonly type: 'proposal_answered'; readonly playerId: string; readonly accepted: number }
  /** Others have answered. */
  | { readonly type: 'proposal_counted'; readonly accepted: number }
  /** Back among those who search, with the age and the deadline that it had. */
  | { readonly type: 'queue_rejoined'; readonly ticketId: string; readonly expiresAt: number }
  /** `server`: of a match that runs already. */
  | { readonly type: 'lobby_matched'; readonly matchId: string; readonly server?: ServerSummary | null }
  | { readonly type: 'lobby_started'; readonly matchId: string }
  | { readonly type: 'server_changed'; readonly server: ServerSummary | null }
  | { readonly type: 'game_began'; readonly server: ServerSummary | null }
  /** `exit` is the closed list's word for it, `reason` a sentence. */
  | { readonly type: 'game_ended'; readonly exit: ExitReason; readonly reason: string }
  | { readonly type: 'launch_failed'; readonly exit: ExitReason; readonly reason: string }
  | { readonly type: 'lobby_deleted'; readonly reason: LobbyDeletedReason; readonly by?: string }
