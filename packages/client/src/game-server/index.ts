export type { GameServerErrorCode } from '../api/types'
export { type AttachOptions, attach } from './attach'
export type { Configuration } from './configuration'
export { isMatchyardError, MatchyardError } from './error'
export type { ConnectionState } from './follow-events'
export type { CallOptions, GameServer, GameServerEvents } from './game-server'
export type { JoiningPlayer, RefusedToken } from './join-token'
export type { JsonObject, JsonValue } from './json'
export type { PlayerLeftOptions } from './link'
export type { LocalPlayer, LocalServer } from './local'
export type {
  Backfill,
  BackfillRequest,
  GameShape,
  KeptSeat,
  Match,
  MatchUpdate,
  Player,
  ResultReport,
  SeatWish,
  Team,
} from './match'
