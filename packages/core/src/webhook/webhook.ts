import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'

/**
 * Reasons for which the service disabled a webhook. `gone`: its endpoint answered with status 410 (gone). `failing`: all attempts failed
 * for five days.
 */
export const DISABLED_REASONS = ['gone', 'failing'] as const
/** Reason for which the service disabled a webhook, one of `DISABLED_REASONS`. */
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Shapes of the bodies that a webhook gets. `plain`: the shape of the HTTP API. */
export const WEBHOOK_FORMATS = ['plain', 'slack', 'pagerduty'] as const
/** Shape of the bodies that a webhook gets, one of `WEBHOOK_FORMATS`. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Seed of a webhook's secret. The secret is derived from the seed and from the secret of the installation. */
export interface SecretSeed {
  /** Random text from which the secret is derived. */
  readonly seed: string
  /** Instant until which messages are also signed with this secret, after a newer secret replaced it; null for the present secret. */
  readonly until: Instant | null
}

/** Address to which the service sends signed messages about a project. */
export interface Webhook {
  /** Id of the webhook: `whk_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the webhook. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Address, at most 2,048 characters; https unless the operator allows others. */
  readonly url: string
  /** Types of messages that the webhook gets. */
  readonly types: readonly MessageType[]
  /**
   * Shape of the bodies; absent for `plain`. `slack`: a text for an incoming webhook of Slack. `pagerduty`: an event for the Events API v2, with
   * the key of the service in the parameter `routing_key` of the address.
   */
  readonly format?: WebhookFormat
  /** Description, at most 256 characters; null without one. */
  readonly description: string | null
  /** Whether the webhook gets messages. */
  readonly enabled: boolean
  /** Reason why the service disabled the webhook. null when the webhook is enabled, or when a caller disabled it. */
  readonly disabledReason: DisabledReason | null
  /** Seeds of the webhook's secrets, newest first; at most two. */
  readonly secrets: readonly SecretSeed[]
  /** Start of the present series of failed attempts; null after a success. */
  readonly failingSince: Instant | null
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}
