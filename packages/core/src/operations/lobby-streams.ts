import { type PollLobbyInput, pollLobby, type WatchLobbyInput, watchLobby } from '../streams/index'
import { PLAYERS } from './callers'
import { embedded, operation } from './operation'
import type { Running } from './running'

/** How a lobby is followed. */
export const lobbyStreams = {
  /**
   * The lobby as soon as its version is another one than `afterVersion`; undefined where it still is the same after `waitSeconds` (0 to
   * 25). While it waits it counts as an open stream: as a heartbeat, and among the places for streams.
   * Rejects with `LOBBY_NOT_FOUND`, also when the lobby is deleted meanwhile, `VALIDATION_FAILED`.
   */
  poll: embedded({
    fields: [
      'afterVersion',
      'waitSeconds',
      'keyId?',
      'accountId?',
      'signal?',
      'until?',
      'address?',
      'lobbyId',
      'playerId?',
      'backend',
      'projectId',
    ],
    run: (node: Running, input: PollLobbyInput) => pollLobby(node, node.streams.lobbies, input),
  }),

  /** The lobby's event stream, a message at a time. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`. */
  watch: operation({
    name: 'lobbies.events',
    callers: PLAYERS,
    player: 'required',
    fields: [
      'backend',
      'keyId?',
      'accountId?',
      'lastEventId?',
      'fromOldest?',
      'until?',
      'address?',
      'turn?',
      'lobbyId',
      'playerId',
      'projectId',
    ],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY'],
    run: (node: Running, input: WatchLobbyInput) => watchLobby(node, node.streams.lobbies, input),
  }),
}
