import type { Ports } from '../../ports/ports'
import type { Webhook } from '../../webhook/webhook'

/** A webhook and, this one time, its secret; null where a repeated call is answered from its record. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: string | null
}

/** Returns the webhook without its secret: the secret is shown once, also for a repeated call. */
export const withoutSecret = ({ webhook }: WebhookWithSecret): WebhookWithSecret => ({ webhook, secret: null })

const HEX = 16
const SEED_LENGTH = 32

/** 128 bits of chance; without the secret of the installation they say nothing. */
export const drawSeed = (ctx: Ports): string =>
  Array.from({ length: SEED_LENGTH }, () => ctx.random.int(HEX).toString(HEX)).join('')
