import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { BackfillRequest, Match, MatchEnding, MatchTeam, MatchWait, ProposalOutcome } from './match'

/** Properties of a match that are decided when it is made. For a proposed match they are decided again after its players have accepted. */
export type MadeOf = Pick<
  Match,
  'teams' | 'settings' | 'serverId' | 'external' | 'waits' | 'ttlSeconds' | 'seats' | 'trace'
>

/** Events of a match; `evolve` applies them. */
export type MatchEvent =
  | { readonly type: 'match_found'; readonly match: Match }
  | { readonly type: 'match_proposed'; readonly match: Match }
  /** `spreadAt`: when the lobbies of other players get the new number of answers; null when an update is already due. */
  | { readonly type: 'match_answered'; readonly playerIds: readonly string[]; readonly spreadAt: Instant | null }
  /** All its lobbies have the present number of answers. */
  | { readonly type: 'answers_spread' }
  /** All players have accepted, and the match is made at this instant with these properties. */
  | { readonly type: 'match_accepted'; readonly made: MadeOf; readonly at: Instant }
  | {
      readonly type: 'proposal_ended'
      readonly outcome: Exclude<ProposalOutcome, 'accepted'>
      readonly reason: string
      readonly at: Instant
    }
  | { readonly type: 'match_started'; readonly at: Instant }
  | { readonly type: 'match_assigned'; readonly assignment: Assignment }
  | { readonly type: 'match_player_left'; readonly lobbyId: string; readonly playerId: string; readonly at: Instant }
  | { readonly type: 'match_player_erased'; readonly playerId: string }
  | { readonly type: 'match_lobby_left'; readonly lobbyId: string; readonly at: Instant }
  | {
      readonly type: 'match_states_changed'
      readonly players: readonly { readonly playerId: string; readonly state: JsonObject }[]
    }
  /** A first request, a replacement of an earlier one, or a renewal. */
  | { readonly type: 'backfill_requested'; readonly request: Omit<BackfillRequest, 'version'> }
  | { readonly type: 'backfill_ended' }
  | {
      readonly type: 'match_filled'
      readonly lobbyIds: readonly string[]
      /** Only the newcomers, in their teams. */
      readonly teams: readonly MatchTeam[]
      readonly waits: readonly MatchWait[]
    }
  | { readonly type: 'match_closed'; readonly at: Instant }
  | { readonly type: 'match_ended'; readonly ending: MatchEnding; readonly at: Instant }
