import type { CredentialKind } from '../access/caller'

/** Any caller, even without a credential. */
export const EVERYBODY: readonly CredentialKind[] = []
/** A developer with a login session. */
export const SESSION: readonly CredentialKind[] = ['session']
/** Players' clients and the project's backend, with a key of the project. */
export const PLAYERS: readonly CredentialKind[] = ['client', 'server']
/** Players' clients and the project's backend with a key of the project, and a developer with a login session. */
export const PLAYERS_AND_SESSION: readonly CredentialKind[] = ['client', 'server', 'session']
/** The project's backend, with a server key. */
export const BACKEND: readonly CredentialKind[] = ['server']
/** The project's backend with a server key, and a developer with a login session. */
export const PROJECT: readonly CredentialKind[] = ['server', 'session']
/** A game server, with the token in its configuration file. */
export const GAME_SERVER: readonly CredentialKind[] = ['game-server']
