import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { BackfillRequest, Match, MatchEnding, MatchTeam, MatchWait, ProposalOutcome } from './match'

/** Properties of a match that are decided when it is made without asking the players. */
export type MadeOf = Pick<
  Match,
  'teams' | 'settings' | 'serverId' | 'external' | 'waits' | 'ttlSeconds' | 'seats' | 'trace'
>

/** Events of a match; `evolve` applies them. */
export type MatchEvent =
  | { readonly type: 'match_found'; readonly match: Match }
  | { readonly type: 'match_proposed'; readonly match: Match }
  /** `spreadAt`: when lobbies that did not answer themselves are told; null where that is under way already. */
  | { readonly type: 'match_answered'; readonly playerIds: readonly string[]; readonly spreadAt: Instant | null }
  /** All its lobbies are told of the answers so far. */
  | { readonly type: 'answers_spread' }
  /** All have accepted: it is made, at this instant, as it is then. */
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
  /** A first request, one in place of another, or one that goes on. */
  | { readonly type: 'backfill_requested'; readonly request: Omit<BackfillRequest, 'version'> }
  | { readonly type: 'backfill_ended' }
  | {
      readonly type: 'match_filled'
      readonly lobbyIds: readonly string[]
      /** The newcomers alone. */
      readonly teams: readonly MatchTeam[]
      readonly waits: readonly MatchWait[]
    }
  | { readonly type: 'match_closed'; readonly at: Instant }
  | { readonly type: 'match_ended'; readonly ending: MatchEnding; readonly at: Instant }
