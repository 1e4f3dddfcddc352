export type {
  JoinToken,
  JsonObject,
  KeptSeat,
  Lobby as LobbySnapshot,
  LobbyExit,
  Match as MatchSnapshot,
  Player,
  PortMapping,
  Proposal,
  QueueExplanation,
  Region,
  ServerSummary,
  Standing,
} from './api/types'
export type { PlayerSource } from './calls/identity'
export { createClient, type MatchyardClient } from './client'
export {
  type ClientErrorCode,
  type ErrorCode,
  type ErrorOf,
  isMatchyardError,
  MatchmakingEnded,
  MatchyardError,
} from './errors'
export type { Connection, Transport } from './follow/machine'
export type { LobbyEvents } from './lobby/differences'
export type { BrowseLobbies, CreateLobby, JoinLobby, Lobbies, QuickJoin } from './lobby/lobbies'
export type { ClosedReason, HandleEvents, Lobby, LobbyChanges, SetStateOptions } from './lobby/lobby'
export type { FindMatchOptions, MatchProposal, StartOptions } from './match/find-match-options'
export type { Endpoint, KeepSeatOptions, Match, MatchEnd, Seat } from './match/match'
export type { ClientOptions, ClientStorage } from './options'
export type { PageEvents, Platform } from './platform'
export type { MeasuredState, PlayLobby } from './play'
export type { LeaderboardPage, LeaderboardQuery, Ratings } from './ratings'
export type { Latencies } from './regions/latencies'
export type { MeasureOptions, Measures } from './regions/measure-regions'
