import { SEARCHED_SETTINGS } from '../catalog/limits'
import { byteSize, type JsonObject, type JsonValue } from '../shared/json'
import type { Lobby } from './lobby'
import { bannedFrom } from './members'

/**
 * Maximum UTF-16 code units of a label, so that every database accepts the label as a key. Only player ids that were stored before ids had
 * a maximum length can make a longer label.
 */
const MAX_LABEL = 800

/** Value of a searchable setting: neither an object nor a list. */
export type SettingValue = string | number | boolean | null

/** Top-level settings that a lobby must have. Two values are equal when their JSON is equal. */
export type SettingsFilter = Readonly<Record<string, SettingValue>>

const isSearched = (key: string, value: JsonValue): value is SettingValue =>
  (typeof value !== 'object' || value === null) &&
  byteSize(key) <= SEARCHED_SETTINGS.keyBytes &&
  byteSize(value) <= SEARCHED_SETTINGS.valueBytes

/** Returns the searchable settings. */
const searched = (settings: JsonObject): readonly (readonly [string, SettingValue])[] =>
  Object.entries(settings)
    .filter((entry): entry is [string, SettingValue] => isSearched(...entry))
    .slice(0, SEARCHED_SETTINGS.keys)

const label = (kind: 'p' | 'b' | 's' | 'o', ...parts: readonly SettingValue[]) => kind + JSON.stringify(parts)

/** Returns the label of every lobby and match of the project that contains the player. */
export const playerLabel = (projectId: string, playerId: string): string => label('p', projectId, playerId)

/** Returns the labels of some players, each once. */
export const playerLabels = (projectId: string, playerIds: readonly string[]): readonly string[] =>
  [...new Set(playerIds)]
    .map((playerId) => playerLabel(projectId, playerId))
    .filter(({ length }) => length <= MAX_LABEL)

/** Returns the label of every lobby of the project that bans the player. */
export const banLabel = (projectId: string, playerId: string): string => label('b', projectId, playerId)

/** Returns the labels of a settings filter. Every lobby of the project that fits the filter has these labels. */
export const settingLabels = (projectId: string, filter: SettingsFilter): readonly string[] =>
  Object.entries(filter).map(([key, value]) => label('s', projectId, key, value))

/** Returns the labels of a settings filter for open lobbies. Every open lobby of the queue that fits the filter has these labels. */
export const openLabels = (projectId: string, queueId: string, filter: SettingsFilter): readonly string[] =>
  Object.entries(filter).map(([key, value]) => label('o', projectId, queueId, key, value))

/** Returns the number of players who may still join a lobby by its id: the free seats of a public lobby in `waiting`, else 0. */
export const openSeats = ({ status, isPrivate, maxPlayers, players }: Lobby): number =>
  status === 'waiting' && !isPrivate ? Math.max(0, maxPlayers - players.length) : 0

/**
 * Returns the labels by which a lobby is found: of its players, its banned players and its searchable settings. An open lobby also has the
 * labels of `openLabels`.
 */
export function lobbyLabels(lobby: Lobby): readonly string[] {
  const { projectId, queueId, players } = lobby
  const settings = Object.fromEntries(searched(lobby.settings))
  return [
    ...playerLabels(
      projectId,
      players.map(({ playerId }) => playerId),
    ),
    ...bannedFrom(lobby).map((playerId) => banLabel(projectId, playerId)),
    ...settingLabels(projectId, settings),
    ...(openSeats(lobby) > 0 ? openLabels(projectId, queueId, settings) : []),
  ]
}

/** Whether the lobby's settings fit the filter. */
export function fitsFilter(lobby: Pick<Lobby, 'projectId' | 'settings'>, filter: SettingsFilter): boolean {
  const has = new Set(settingLabels(lobby.projectId, Object.fromEntries(searched(lobby.settings))))
  return settingLabels(lobby.projectId, filter).every((wanted) => has.has(wanted))
}

/** Returns the reason why a filter cannot be used for a search, as the end of a sentence; undefined when it can be used. */
export function filterFault(filter: JsonObject): string | undefined {
  const { filterKeys, keyBytes, valueBytes } = SEARCHED_SETTINGS
  const entries = Object.entries(filter)
  if (entries.length > filterKeys) return `must not name more than ${filterKeys} settings`
  for (const [key, value] of entries) {
    const name = JSON.stringify(key.slice(0, keyBytes))
    // In JSON such a number would become null.
    if (typeof value === 'number' && !Number.isFinite(value)) return `${name} must be a finite number`
    if (isSearched(key, value)) continue
    if (typeof value === 'object' && value !== null) return `${name} must be a single value, not an object or a list`
    return `as JSON, the name ${name} must have at most ${keyBytes} bytes and its value at most ${valueBytes} bytes`
  }
  return undefined
}

/**
 * Returns the unique key of a lobby that a quick join created. The key is the same for the same settings in any order. `after`: id of a lobby
 * that has such a key and was skipped, because its host is absent.
 */
export const quickJoinKeyOf = (queueId: string, settings: JsonObject, after = ''): string =>
  JSON.stringify([queueId, ...Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))]) + after
