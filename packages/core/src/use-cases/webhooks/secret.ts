import type { Ports } from '../../ports/ports'
import type { Webhook } from '../../webhook/webhook'

/** Webhook with its secret, which only the first answer contains; null in the answer to a repeated call. */
export interface WebhookWithSecret {
  /** The webhook. */
  readonly webhook: Webhook
  /** Secret that signs the webhook's messages; null in the answer to a repeated call. */
  readonly secret: string | null
}

/** Returns the webhook without its secret, in the form that is stored for a repeated call. */
export const withoutSecret = ({ webhook }: WebhookWithSecret): WebhookWithSecret => ({ webhook, secret: null })

const HEX = 16
const SEED_LENGTH = 32

/**
 * Returns 128 random bits as hexadecimal digits. The secret of a webhook is derived from them and from the secret of the installation, so
 * they alone do not reveal it.
 */
export const drawSeed = (ctx: Ports): string =>
  Array.from({ length: SEED_LENGTH }, () => ctx.random.int(HEX).toString(HEX)).join('')
