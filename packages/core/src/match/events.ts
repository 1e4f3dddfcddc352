import type { CountedMatch } from '../rating/match-teams'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type {
  BackfillRequest,
  KeptSeat,
  Match,
  MatchBuild,
  MatchEnding,
  MatchPlayer,
  MatchTeam,
  MatchWait,
  ProposalOutcome,
} from './match'
import type { MatchResult } from './result'

/**
 * Properties of a match that are decided when the match is made. For a proposed match, they are decided again after its players have
 * accepted.
 */
export type MadeOf = Pick<
  Match,
  'teams' | 'settings' | 'serverId' | 'external' | 'waits' | 'ttlSeconds' | 'seats' | 'quality' | 'trace'
>

/** Events of a match; `evolve` applies them. */
export type MatchEvent =
  | { readonly type: 'match_found'; readonly match: Match }
  | { readonly type: 'match_proposed'; readonly match: Match }
  /**
   * Some players accepted. `spreadAt`: instant at which the lobbies of other players get the new number of accepted answers; null when such
   * an update is already planned.
   */
  | { readonly type: 'match_answered'; readonly playerIds: readonly string[]; readonly spreadAt: Instant | null }
  /** All lobbies of the match have the present number of accepted answers. */
  | { readonly type: 'answers_spread' }
  /** All players have accepted. The match is made at this instant with these properties. */
  | { readonly type: 'match_accepted'; readonly made: MadeOf; readonly at: Instant }
  | {
      readonly type: 'proposal_ended'
      readonly outcome: Exclude<ProposalOutcome, 'accepted'>
      readonly reason: string
      readonly at: Instant
    }
  /** `build`: build of the server on which the match began; absent without a server that the service launched. */
  | { readonly type: 'match_started'; readonly at: Instant; readonly build?: MatchBuild }
  | { readonly type: 'match_assigned'; readonly assignment: Assignment }
  | { readonly type: 'match_player_left'; readonly lobbyId: string; readonly playerId: string; readonly at: Instant }
  | { readonly type: 'match_player_erased'; readonly playerId: string }
  | { readonly type: 'match_lobby_left'; readonly lobbyId: string; readonly at: Instant }
  | {
      readonly type: 'match_states_changed'
      readonly players: readonly { readonly playerId: string; readonly state: JsonObject }[]
    }
  /** The match requested new players, for the first time, in place of an earlier request, or as a renewal. */
  | { readonly type: 'backfill_requested'; readonly request: Omit<BackfillRequest, 'version'> }
  | { readonly type: 'backfill_ended' }
  | {
      readonly type: 'match_filled'
      readonly lobbyIds: readonly string[]
      /** Teams with only the new players. */
      readonly teams: readonly MatchTeam[]
      readonly waits: readonly MatchWait[]
    }
  | { readonly type: 'seat_kept'; readonly seat: KeptSeat }
  /** The seat that was kept for this player is open to everybody again. */
  | { readonly type: 'seat_freed'; readonly playerId: string }
  /** The player took the seat that was kept for them, and joined the match with a lobby of their own. */
  | { readonly type: 'seat_taken'; readonly team: string; readonly player: MatchPlayer }
  | { readonly type: 'match_closed'; readonly at: Instant }
  /**
   * The first result of the match was recorded, or its result was amended. `counted`: the way in which a rating counts the match; absent
   * when no rating does.
   */
  | { readonly type: 'match_resulted'; readonly result: MatchResult; readonly counted?: CountedMatch }
  /** `build`: build of the server whose end ended the match; absent for another end. */
  | { readonly type: 'match_ended'; readonly ending: MatchEnding; readonly at: Instant; readonly build?: MatchBuild }
