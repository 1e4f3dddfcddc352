import type { Instant } from '../shared/time'

export const API_KEY_TYPES = ['client', 'server'] as const
export type ApiKeyType = (typeof API_KEY_TYPES)[number]

/** A key as it is stored: its value exists only as a SHA-256. */
export interface ApiKey {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly type: ApiKeyType
  readonly name: string
  readonly last4: string
  /** SHA-256 of the value, hexadecimal; every look-up is by it. */
  readonly hash: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** The instant from which it is refused; absent of one that holds until it is revoked. */
  readonly expiresAt?: Instant
}
