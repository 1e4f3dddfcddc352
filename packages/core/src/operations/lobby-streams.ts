import { type PollLobbyInput, pollLobby, type WatchLobbyInput, watchLobby } from '../streams/index'
import { PLAYERS } from './callers'
import { embedded, operation } from './operation'
import type { Running } from './running'

/** Calls by which a client or backend follows the changes of a lobby. */
export const lobbyStreams = {
  /**
   * Returns the lobby as soon as its version differs from `afterVersion`. Returns undefined when the version is still the same after
   * `waitSeconds` (0 to 25 s). While it waits, the call counts as a heartbeat of the member, and towards the limits of open streams.
   * Rejects with `LOBBY_NOT_FOUND`, also when the lobby is deleted meanwhile, and with `VALIDATION_FAILED`.
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

  /**
   * Opens the event stream of a lobby. The reader requests one message at a time. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`.
   */
  watch: operation({
    name: 'lobbies.events',
    callers: PLAYERS,
    role: 'viewer',
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
