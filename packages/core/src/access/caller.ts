import type { Role } from '../catalog/roles'
import type { ApiKeyType } from '../project/api-key'
import type { PlayerAuth } from '../project/player-auth'
import type { Instant } from '../shared/time'
import type { Grant } from './grant'

/** Caller of a request whose credential was verified. */
export type Caller =
  | {
      /** Type of the API key. `client`: a game. `server`: the project's backend. */
      readonly kind: 'client' | 'server'
      /** Id of the API key: `key_` and a ULID. */
      readonly keyId: string
      /** Project of the key. */
      readonly projectId: string
      /** Account that owns the project. */
      readonly accountId: string
      /** Instant at which the key expires; absent for a key that is valid until it is revoked. */
      readonly expiresAt?: Instant
      /** How the project's players prove their identity; absent when the project has no such settings. */
      readonly playerAuth?: PlayerAuth
      /** Account of the person who created the server key; absent for a client key, and for a key of the installation's own programs. */
      readonly person?: string
      /** Role of a server key; absent for a server key with all rights, and for a client key. */
      readonly role?: Role
    }
  | {
      /** Developer or operator with a session. */
      readonly kind: 'session'
      /** Id of the session: `ses_` and a ULID. */
      readonly sessionId: string
      /** Account of the session. */
      readonly accountId: string
      /** Rights of the account in projects of other accounts: at most 100. */
      readonly grants: readonly Grant[]
    }
  | {
      /** Game server with the token of one attempt. */
      readonly kind: 'game-server'
      /** Id of the server: `srv_` and a ULID. */
      readonly instanceId: string
      /** Number of the attempt that the token belongs to, from 1. */
      readonly attempt: number
      /** Project of the server. */
      readonly projectId: string
    }
  | {
      /** Agent of a machine, with the machine's token. */
      readonly kind: 'machine'
      /** Id of the machine. */
      readonly machineId: string
      /** SHA-256 of the token. */
      readonly tokenHash: string
    }

/** Kind of a credential: the type of an API key, a session token, or the token of a game server or of a machine. */
export type CredentialKind = ApiKeyType | 'session' | 'game-server' | 'machine'
