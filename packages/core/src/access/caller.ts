import type { ApiKeyType } from '../project/api-key'

/** Who calls, once the credential has been found to be real. */
export type Caller =
  | {
      readonly kind: 'client' | 'server'
      readonly keyId: string
      readonly projectId: string
      readonly accountId: string
    }
  | { readonly kind: 'session'; readonly sessionId: string; readonly accountId: string }
  | { readonly kind: 'game-server'; readonly instanceId: string; readonly attempt: number; readonly projectId: string }

export type CredentialKind = ApiKeyType | 'session' | 'game-server'
