import type { ApiKeyType } from '../project/api-key'
import type { PlayerAuth } from '../project/player-auth'
import type { Instant } from '../shared/time'

/** Caller of a request whose credential was verified. */
export type Caller =
  | {
      readonly kind: 'client' | 'server'
      readonly keyId: string
      readonly projectId: string
      readonly accountId: string
      /** Instant at which the key expires; absent for a key that is valid until it is revoked. */
      readonly expiresAt?: Instant
      /** How the project's players prove their identity; absent when the project has no such settings. */
      readonly playerAuth?: PlayerAuth
    }
  | { readonly kind: 'session'; readonly sessionId: string; readonly accountId: string }
  | { readonly kind: 'game-server'; readonly instanceId: string; readonly attempt: number; readonly projectId: string }

export type CredentialKind = ApiKeyType | 'session' | 'game-server'
