import type { Operation, SequentialModel } from './check'

/** The version and the players of a lobby. */
export interface LobbyRegister {
  readonly version: number
  /** Ids of the players, in any order. */
  readonly players: readonly string[]
}

export type LobbyCall =
  | { readonly type: 'join'; readonly player: string }
  | { readonly type: 'leave'; readonly player: string }
  | { readonly type: 'read' }

/** The lobby in the answer (null for the answer to a leave), or the code of the error. */
export type LobbyAnswer = { readonly lobby: LobbyRegister | null } | { readonly refused: string }

export type LobbyOperation = Operation<LobbyCall, LobbyAnswer>

/**
 * Returns the model of a waiting lobby whose host stays. The model gives the answers to joins, leaves and reads that a
 * system with a single copy of the lobby would give.
 */
export function lobbyRegister(
  initial: LobbyRegister,
  maxPlayers: number,
): SequentialModel<LobbyRegister, LobbyCall, LobbyAnswer> {
  return {
    initial,
    keyOf,
    step(state, call, answer) {
      const { refusal, after } = effect(state, call, maxPlayers)
      if (answer === undefined) return after
      if ('refused' in answer) return answer.refused === refusal ? state : undefined
      if (refusal !== undefined) return undefined
      return answer.lobby === null || keyOf(answer.lobby) === keyOf(after) ? after : undefined
    },
  }
}

const keyOf = ({ version, players }: LobbyRegister): string => `${version}:${[...players].sort().join()}`

interface Effect {
  readonly refusal?: string
  readonly after: LobbyRegister
}

function effect(state: LobbyRegister, call: LobbyCall, maxPlayers: number): Effect {
  if (call.type === 'read') return { after: state }
  const isIn = state.players.includes(call.player)
  if (call.type === 'join') {
    // A call by a member to join again changes nothing (docs/http-api.md §6).
    if (isIn) return { after: state }
    if (state.players.length >= maxPlayers) return { refusal: 'LOBBY_FULL', after: state }
    return { after: { version: state.version + 1, players: [...state.players, call.player] } }
  }
  if (!isIn) return { refusal: 'PLAYER_NOT_IN_LOBBY', after: state }
  return { after: { version: state.version + 1, players: state.players.filter((player) => player !== call.player) } }
}
