import type { ClientWord } from '../lobby/trusted-state'

/** Set where a player's client calls; left out, the caller is the project's own backend, which may write every field of a state. */
export interface ByClient {
  readonly client?: ClientWord | undefined
}

/** A call on a project, by whoever may act for it. */
export interface InProject {
  readonly projectId: string
}

/** A call on one lobby by a player. */
export interface OnLobby extends InProject {
  readonly lobbyId: string
  readonly playerId: string
}

/** A call that a backend may also make without naming a player. */
export interface OnLobbyByBackend extends InProject {
  readonly lobbyId: string
  readonly playerId?: string
  /** Whether the caller is the project's own backend (server key, embedder). */
  readonly backend: boolean
}

/** Who must own an addressed thing: the project of an API key, or any project of a session's account. */
export type OwnedBy =
  | { readonly projectId: string; readonly accountId?: undefined }
  | { readonly accountId: string; readonly projectId?: undefined }

export const isOwner = (by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean =>
  by.projectId === undefined ? by.accountId === thing.accountId : by.projectId === thing.projectId

/** A call of the game server itself, by the token of one attempt. */
export interface SelfCall extends InProject {
  readonly instanceId: string
  readonly attempt: number
}
