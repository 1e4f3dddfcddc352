import type { Role } from '../catalog/roles'
import type { Instant } from '../shared/time'

/** Types of API keys. `client`: for games, visible to everybody. `server`: for backends, secret. */
export const API_KEY_TYPES = ['client', 'server'] as const
/** Type of an API key, one of `API_KEY_TYPES`. */
export type ApiKeyType = (typeof API_KEY_TYPES)[number]

/** Stored API key. The row contains the SHA-256 of the key's value, and not the value itself. */
export interface ApiKey {
  /** Id of the key: `key_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the key. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Type of the key. */
  readonly type: ApiKeyType
  /** Display name, 1 to 128 characters. */
  readonly name: string
  /** Last four characters of the key's value. */
  readonly last4: string
  /** SHA-256 of the key's value in hexadecimal digits. The service finds a key by this hash. */
  readonly hash: string
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of revocation; null while the key is valid. */
  readonly revokedAt: Instant | null
  /** Instant from which the key is refused; absent for a key that is valid until it is revoked. */
  readonly expiresAt?: Instant
  /** Account of the person whose session created the server key; absent for other keys. */
  readonly mintedBy?: string
  /** Role of the server key; absent for a server key with all rights, and for a client key. */
  readonly role?: Role
}
