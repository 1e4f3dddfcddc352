import type { Caller } from '@matchyard/core'
import { keyOf, playerOf } from '../callers'

interface LobbyCall {
  readonly caller: Caller | undefined
  readonly playerId: string | undefined
  readonly params: { readonly lobby_id: string }
}

/** Returns the input of a call on one lobby. A backend may make such a call without a player. */
export function onLobby(call: LobbyCall) {
  const { projectId, backend } = keyOf(call)
  const player = call.playerId === undefined ? {} : { playerId: call.playerId }
  return { projectId, lobbyId: call.params.lobby_id, backend, ...player }
}

/** Returns the input of a player's action on one lobby. */
export const onLobbyByPlayer = (call: LobbyCall) => ({ ...playerOf(call), lobbyId: call.params.lobby_id })
