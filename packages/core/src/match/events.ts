import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { Match } from './match'

/** What can happen to a match; `evolve` gives each its meaning. */
export type MatchEvent =
  | { readonly type: 'match_found'; readonly match: Match }
  | { readonly type: 'match_started' }
  | { readonly type: 'match_assigned'; readonly assignment: Assignment }
  | { readonly type: 'match_player_left'; readonly lobbyId: string; readonly playerId: string; readonly at: Instant }
  | { readonly type: 'match_player_erased'; readonly playerId: string }
  | { readonly type: 'match_lobby_left'; readonly lobbyId: string; readonly at: Instant }
  | { readonly type: 'match_ended'; readonly reason: string; readonly at: Instant }
