import type { Region } from '../catalog/regions'
import { fitsFilter, type SettingsFilter } from './labels'
import type { Lobby, LobbyStatus } from './lobby'
import { memberOf } from './members'

/** Filter of a backend's lobby search. An absent field matches every lobby. */
export interface LobbyFilter {
  readonly queueId?: string | undefined
  readonly status?: LobbyStatus | undefined
  readonly region?: Region | undefined
  readonly settings?: SettingsFilter | undefined
  /** Id of a player in the lobby. */
  readonly playerId?: string | undefined
}

/** Whether a lobby matches the filter. */
export const isAskedFor = (lobby: Lobby, { queueId, status, region, settings, playerId }: LobbyFilter): boolean =>
  (queueId === undefined || lobby.queueId === queueId) &&
  (status === undefined || lobby.status === status) &&
  (region === undefined || lobby.region === region) &&
  (settings === undefined || fitsFilter(lobby, settings)) &&
  (playerId === undefined || memberOf(lobby, playerId) !== undefined)
