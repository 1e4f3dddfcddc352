import { shownState } from '../shared/shown-state'
import type { Lobby, LobbyPlayer } from './lobby'
import { memberOf } from './members'

/** Caller that reads a lobby. */
export interface Onlooker {
  readonly playerId?: string | undefined
  readonly backend: boolean
}

/**
 * Returns the lobby with only the fields that the reader may see. The project's backend sees all fields; members see all except the private
 * fields in the states of other players. Other readers also do not see its bans and its proposed match: two lobbies with the same proposed
 * match are opponents, and must stay unknown to each other until the match is made. Of a private lobby, other readers also do not see the
 * invite code, the settings and the states of its players. In the result, no field is marked as private (`LobbyPlayer.hidden`).
 */
export function asSeenBy(lobby: Lobby, { playerId, backend }: Onlooker): Lobby {
  if (backend) return withFieldsOf(lobby, () => true)
  if (memberOf(lobby, playerId) !== undefined) return withFieldsOf(lobby, (owner) => owner === playerId)
  const { proposal: _, banned: __, ...rest } = withFieldsOf(lobby, () => false)
  return lobby.isPrivate ? withoutPrivate(rest) : rest
}

const withoutPrivate = (lobby: Lobby): Lobby => ({
  ...lobby,
  inviteCode: null,
  settings: {},
  players: lobby.players.map((player) => ({ ...player, state: {} })),
})

/** Lobbies without private fields, so that all readers of a stream get one object, which is written as JSON once. */
const streamed = new WeakMap<Lobby, Lobby>()

/** Returns the lobby as its streams show it to the reader: as `asSeenBy`, and without private fields for all readers. */
export function asStreamedTo(lobby: Lobby, reader: Onlooker): Lobby {
  const shown = streamed.get(lobby) ?? withFieldsOf(lobby, () => false)
  if (shown !== lobby) streamed.set(lobby, shown)
  return asSeenBy(shown, reader)
}

/** Returns the lobby with the private fields of these players only. In the result, no field is marked as private. */
function withFieldsOf(lobby: Lobby, isShown: (playerId: string) => boolean): Lobby {
  if (lobby.players.every(({ hidden }) => hidden === undefined)) return lobby
  return {
    ...lobby,
    players: lobby.players.map((player) => (isShown(player.playerId) ? revealed(player) : covered(player))),
  }
}

/** Returns the player with the private fields, which are no longer marked as private. */
export function revealed(player: LobbyPlayer): LobbyPlayer {
  const { hidden: _, ...rest } = player
  return player.hidden === undefined ? player : rest
}

/** Returns the player without the private fields. */
export const covered = (player: LobbyPlayer): LobbyPlayer =>
  player.hidden === undefined ? player : { ...revealed(player), state: shownState(player) }
