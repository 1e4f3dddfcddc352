import type { Region } from '../catalog/regions'
import { fitsFilter, type SettingsFilter } from './labels'
import type { Lobby, LobbyStatus } from './lobby'
import { memberOf } from './members'

/** Filter of a backend's lobby search. An absent field matches every lobby. */
export interface LobbyFilter {
  /** Queue of the lobbies. Absent: all queues. */
  readonly queueId?: string | undefined
  /** Status of the lobbies. Absent: all statuses. */
  readonly status?: LobbyStatus | undefined
  /** Region that the lobbies request. Absent: all lobbies, also those without a region. */
  readonly region?: Region | undefined
  /** Settings that a lobby must have, at most four, by their names at the top level. Absent: all lobbies. */
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
