import type { Instant } from '../shared/time'

export const API_KEY_TYPES = ['client', 'server'] as const
export type ApiKeyType = (typeof API_KEY_TYPES)[number]

/** Stored API key. The row contains the SHA-256 of the key's value, and not the value itself. */
export interface ApiKey {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly type: ApiKeyType
  readonly name: string
  readonly last4: string
  /** SHA-256 of the key's value in hexadecimal digits. The service finds a key by this hash. */
  readonly hash: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Instant from which the key is refused; absent for a key that is valid until it is revoked. */
  readonly expiresAt?: Instant
}
