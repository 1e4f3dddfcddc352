import type { Ports } from '../../ports/ports'
import type { Webhook } from '../../webhook/webhook'

/** Webhook with its secret, which is shown once; null in the answer to a repeated call. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: string | null
}

/** Returns the webhook without its secret, to record the answer for a repeated call. */
export const withoutSecret = ({ webhook }: WebhookWithSecret): WebhookWithSecret => ({ webhook, secret: null })

const HEX = 16
const SEED_LENGTH = 32

/** Returns 128 random bits as hexadecimal digits. They reveal no webhook secret without the secret of the installation. */
export const drawSeed = (ctx: Ports): string =>
  Array.from({ length: SEED_LENGTH }, () => ctx.random.int(HEX).toString(HEX)).join('')
