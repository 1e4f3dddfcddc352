import type { Lobby, LobbyPlayer, LobbyTicket } from '../lobby/lobby'
import type { Match, MatchPlayer, MatchProposal, MatchTeam } from '../match/match'
import type { ServerSummary } from '../server/game-server'
import type { Instant } from '../shared/time'
import type { AnyGame, GameTypes, PlainGame, SettingsOf, StateOf } from './game-types'

/** Player of a lobby, with the game's own type of the state. */
export interface LobbyPlayerView<Game extends GameTypes = AnyGame> extends Omit<LobbyPlayer, 'state'> {
  /** State of the player, in the game's own type. */
  readonly state: StateOf<Game>
}

type ByLobbyStatus = 'status' | 'matchId' | 'server' | 'ticket'

interface AnyLobby<Game extends GameTypes> extends Omit<Lobby, ByLobbyStatus | 'players' | 'settings'> {
  /** Players in the order of joining. */
  readonly players: readonly LobbyPlayerView<Game>[]
  readonly settings: SettingsOf<Game>
}

interface WaitingLobby {
  readonly status: 'waiting'
  readonly matchId: null
  readonly server: null
  readonly ticket: null
}

interface QueuedLobby {
  readonly status: 'in_queue'
  readonly matchId: null
  readonly server: null
  /** Ticket of the lobby; null while a proposed match holds it. */
  readonly ticket: LobbyTicket | null
}

interface MatchedLobby {
  readonly status: 'matched' | 'starting' | 'in_game'
  readonly matchId: string
  /** Server of the lobby's match; null until the launch has ports, and for a match without a server. */
  readonly server: ServerSummary | null
  readonly ticket: null
}

/**
 * Lobby in the answers of calls, with the game's own types of state and settings. The status decides which fields have a value:
 * `lobby.status === 'in_game'` gives `matchId: string`.
 */
export type LobbyView<Game extends GameTypes = AnyGame> = AnyLobby<PlainGame<Game>> &
  (WaitingLobby | QueuedLobby | MatchedLobby)

/** Player of a match, with the game's own type of the state. */
export interface MatchPlayerView<Game extends GameTypes = AnyGame> extends Omit<MatchPlayer, 'state'> {
  /** State of the player, in the game's own type. */
  readonly state: StateOf<Game>
}

/** Team of a match, with the game's own type of its players' states. */
export interface MatchTeamView<Game extends GameTypes = AnyGame> extends Omit<MatchTeam, 'players'> {
  /** Players of the team, including those who have left. */
  readonly players: readonly MatchPlayerView<Game>[]
}

type ByMatchStatus = 'status' | 'endedAt' | 'startedAt' | 'proposal'

interface AnyMatch<Game extends GameTypes> extends Omit<Match, ByMatchStatus | 'teams' | 'settings'> {
  readonly teams: readonly MatchTeamView<Game>[]
  /** Settings of the lobby that waited longest, for the server's configuration file. */
  readonly settings: SettingsOf<Game>
}

interface ProposedMatch {
  readonly status: 'proposed'
  readonly proposal: MatchProposal
  readonly startedAt?: never
  readonly endedAt: null
}

interface LaunchingMatch {
  readonly status: 'launching'
  readonly proposal?: MatchProposal
  readonly startedAt?: never
  readonly endedAt: null
}

interface RunningMatch {
  readonly status: 'running'
  readonly proposal?: MatchProposal
  /** Instant from which the players could play. */
  readonly startedAt: Instant
  readonly endedAt: null
}

interface EndedMatch {
  readonly status: 'ended'
  readonly proposal?: MatchProposal
  /** Instant from which the players could play; absent when the match ended before that. */
  readonly startedAt?: Instant
  readonly endedAt: Instant
}

/**
 * Match in the answers of calls, with the game's own types of state and settings. The status decides which fields have a value:
 * `match.status === 'running'` gives `startedAt: number`.
 */
export type MatchView<Game extends GameTypes = AnyGame> = AnyMatch<PlainGame<Game>> &
  (ProposedMatch | LaunchingMatch | RunningMatch | EndedMatch)
