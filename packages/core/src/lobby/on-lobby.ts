import type { InProject } from '../project/in-project'
import type { ClientWord } from './trusted-state'

/** Client that makes the call. Absent for the project's own backend, which may write every field of a state. */
export interface ByClient {
  readonly client?: ClientWord | undefined
}

/** A call on one lobby by a player. */
export interface OnLobby extends InProject {
  readonly lobbyId: string
  readonly playerId: string
}

/** A call that a player makes, or a backend without naming a player. */
export interface OnLobbyByBackend extends InProject {
  readonly lobbyId: string
  readonly playerId?: string
  /** Whether the caller is the project's own backend: it has a server key, or embeds the service. */
  readonly backend: boolean
}
