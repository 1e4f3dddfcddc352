import type { Lobby } from '../api/types'
import { PlainLobbies } from './resources'
import type { ListLobbies } from './types'

/** Filter of all lobbies. */
export interface AllLobbies extends Omit<ListLobbies, 'includePrivate'> {
  /** Only lobbies of this player. */
  readonly playerId?: string | undefined
  /** Only the lobby with this invite code. */
  readonly code?: string | undefined
}

/** Lobbies of all players. Only a client with a server key may use these calls. */
export class AdminLobbies extends PlainLobbies {
  /** Yields every live lobby of the project, public or private, in any status, newest first. For dashboards. */
  all({ queueId, playerId, ...same }: AllLobbies = {}): AsyncGenerator<Lobby, void, undefined> {
    const query = { ...same, queue_id: queueId, player_id: playerId, scope: 'project' }
    return this.walk('/lobbies', query, 1_000)
  }
}
