import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'

/**
 * Reasons for which the service disabled a webhook. `gone`: its endpoint answered with status 410 (gone). `failing`: all attempts failed
 * for five days.
 */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Seed of a webhook's secret. The secret is derived from the seed and from the secret of the installation. */
export interface SecretSeed {
  readonly seed: string
  /** Instant until which messages are also signed with this secret, after a newer secret replaced it; null for the present secret. */
  readonly until: Instant | null
}

/** Address to which the service sends signed messages about a project. */
export interface Webhook {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly url: string
  readonly types: readonly MessageType[]
  readonly description: string | null
  readonly enabled: boolean
  /** Reason why the service disabled the webhook. null when the webhook is enabled, or when a caller disabled it. */
  readonly disabledReason: DisabledReason | null
  /** Seeds of the webhook's secrets, newest first; at most two. */
  readonly secrets: readonly SecretSeed[]
  /** Start of the present series of failed attempts; null after a success. */
  readonly failingSince: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
