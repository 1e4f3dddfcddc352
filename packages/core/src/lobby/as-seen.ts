import type { Lobby } from './lobby'
import { memberOf } from './members'

/** Who looks at a lobby. */
export interface Onlooker {
  readonly playerId?: string | undefined
  readonly backend: boolean
}

/**
 * A lobby as its members and the studio's backend see it; to anybody else it does not show the match that is proposed to it, for two
 * lobbies that show the same one are opponents, who are to stay unknown until it is made.
 */
export function asSeenBy(lobby: Lobby, { playerId, backend }: Onlooker): Lobby {
  if (lobby.proposal === undefined || backend || memberOf(lobby, playerId) !== undefined) return lobby
  const { proposal: _, ...rest } = lobby
  return rest
}
