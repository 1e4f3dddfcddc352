import type { Lobby } from './lobby'
import { memberOf } from './members'

/** Caller that reads a lobby. */
export interface Onlooker {
  readonly playerId?: string | undefined
  readonly backend: boolean
}

/**
 * Returns the lobby with only the fields that the reader may see. Members and the project's backend see all fields. Other readers do not
 * see its bans and its proposed match: two lobbies with the same proposed match are opponents, and must stay unknown to each other until
 * the match is made. Of a private lobby, other readers also do not see the invite code, the settings and the states of its players.
 */
export function asSeenBy(lobby: Lobby, { playerId, backend }: Onlooker): Lobby {
  if (backend || memberOf(lobby, playerId) !== undefined) return lobby
  const { proposal: _, banned: __, ...rest } = lobby
  return lobby.isPrivate ? withoutPrivate(rest) : rest
}

const withoutPrivate = (lobby: Lobby): Lobby => ({
  ...lobby,
  inviteCode: null,
  settings: {},
  players: lobby.players.map((player) => ({ ...player, state: {} })),
})
