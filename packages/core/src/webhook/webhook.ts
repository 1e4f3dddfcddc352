import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'

/** `gone`: it answered that it is gone for good. `failing`: nothing but failures for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Seed of an endpoint's secret, besides the secret of the installation. */
export interface SecretSeed {
  readonly seed: string
  /** Until when it signs beside the next one; null for the one that is shown. */
  readonly until: Instant | null
}

/** An address that is told what happens in a project. */
export interface Webhook {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly url: string
  readonly types: readonly MessageType[]
  readonly description: string | null
  readonly enabled: boolean
  /** Why the service disabled it by itself; null where it is enabled, or was disabled by request. */
  readonly disabledReason: DisabledReason | null
  /** The newest first; at most two. */
  readonly secrets: readonly SecretSeed[]
  /** Since when every attempt has failed; null after a success. */
  readonly failingSince: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
