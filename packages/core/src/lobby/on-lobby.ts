import type { InProject } from '../project/in-project'
import type { ClientWord } from './trusted-state'

/** Client that makes the call. Absent for the project's own backend, which may write every field of a state. */
export interface ByClient {
  /** The client and the values that its player token proves; absent for a backend. */
  readonly client?: ClientWord | undefined
}

/** A call on one lobby by a player. */
export interface OnLobby extends InProject {
  /** Id of the lobby: `lob_` and a ULID. */
  readonly lobbyId: string
  /** Player who makes the call. */
  readonly playerId: string
}

/** A call that a player makes, or a backend without naming a player. */
export interface OnLobbyByBackend extends InProject {
  /** Id of the lobby: `lob_` and a ULID. */
  readonly lobbyId: string
  /** Player who makes the call; absent for a backend that names no player. */
  readonly playerId?: string
  /** Whether the caller is the project's own backend: it has a server key, or embeds the service. */
  readonly backend: boolean
}
