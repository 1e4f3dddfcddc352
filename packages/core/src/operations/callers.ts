import type { CredentialKind } from '../access/caller'

/** Callers without a credential too. */
export const EVERYBODY: readonly CredentialKind[] = []
/** A developer, by a login session. */
export const SESSION: readonly CredentialKind[] = ['session']
/** Players' clients and the project's backend, by the project's keys. */
export const PLAYERS: readonly CredentialKind[] = ['client', 'server']
/** The project's backend, by a server key. */
export const BACKEND: readonly CredentialKind[] = ['server']
/** The project's backend and its developer. */
export const PROJECT: readonly CredentialKind[] = ['server', 'session']
/** A game server, by the token of its own configuration file. */
export const GAME_SERVER: readonly CredentialKind[] = ['game-server']
