import type { ApiKeyType } from '../project/api-key'
import type { PlayerAuth } from '../project/player-auth'
import type { Instant } from '../shared/time'

/** Caller of a request, after its credential was verified. */
export type Caller =
  | {
      readonly kind: 'client' | 'server'
      readonly keyId: string
      readonly projectId: string
      readonly accountId: string
      /** When the key's time is over; absent where it holds until it is revoked. */
      readonly expiresAt?: Instant
      /** How the project's players prove who they are; absent where it asked for nothing. */
      readonly playerAuth?: PlayerAuth
    }
  | { readonly kind: 'session'; readonly sessionId: string; readonly accountId: string }
  | { readonly kind: 'game-server'; readonly instanceId: string; readonly attempt: number; readonly projectId: string }

export type CredentialKind = ApiKeyType | 'session' | 'game-server'
