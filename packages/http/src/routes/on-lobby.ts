import type { Caller } from '@matchyard/core'
import { keyOf, playerOf } from '../callers'

interface LobbyCall {
  readonly caller: Caller | undefined
  readonly playerId: string | undefined
  readonly params: { readonly lobby_id: string }
}

/** A call on one lobby that a backend may make without naming a player. */
export function onLobby(call: LobbyCall) {
  const { projectId, backend } = keyOf(call)
  const player = call.playerId === undefined ? {} : { playerId: call.playerId }
  return { projectId, lobbyId: call.params.lobby_id, backend, ...player }
}

/** A player's action on one lobby. */
export const onLobbyByPlayer = (call: LobbyCall) => ({ ...playerOf(call), lobbyId: call.params.lobby_id })
