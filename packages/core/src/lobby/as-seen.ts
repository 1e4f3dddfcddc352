import type { Lobby } from './lobby'
import { memberOf } from './members'

/** Reader of a lobby. */
export interface Onlooker {
  readonly playerId?: string | undefined
  readonly backend: boolean
}

/**
 * A lobby as its members and the project's backend see it: whole. Anybody else does not see whom it keeps out, nor the match that is
 * proposed to it, for two lobbies that show the same one are opponents, who are to stay unknown until it is made; nor, of a private
 * lobby, its invite code, its settings and the states of its players.
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
