import type { Instant } from '../shared/time'
import type { Webhook } from './webhook'

export const SECRET_PREFIX = 'whsec_'

/** Methods of the port `Tokens` that signatures need. */
interface Signing {
  sign(purpose: string, text: string): string
  signWith(key: string, text: string): string
}

/**
 * Returns a webhook's secret in base64. The secret is derived from the installation's secret and a seed, so that no secret is stored
 * (docs/adr/0095).
 */
const keyOf = (tokens: Signing, webhookId: string, seed: string): string =>
  toBase64(tokens.sign('webhook-secret', `${webhookId} ${seed}`))

/** Returns the present secret in the form that developers get. Libraries for Standard Webhooks accept this form. */
export const shownSecret = (tokens: Signing, { id, secrets }: Webhook): string =>
  SECRET_PREFIX + keyOf(tokens, id, secrets[0]?.seed ?? '')

/** Returns the value of the signature header: one signature for each secret that is still valid. */
export function signatureOf(
  tokens: Signing,
  { id, secrets }: Webhook,
  { messageId, timestamp, body, at }: { messageId: string; timestamp: number; body: string; at: Instant },
): string {
  return secrets
    .filter(({ until }) => until === null || until > at)
    .map(({ seed }) => `v1,${tokens.signWith(keyOf(tokens, id, seed), `${messageId}.${timestamp}.${body}`)}`)
    .join(' ')
}

function toBase64(base64url: string): string {
  const text = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}
