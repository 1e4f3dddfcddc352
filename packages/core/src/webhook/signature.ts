import type { Instant } from '../shared/time'
import type { Webhook } from './webhook'

export const SECRET_PREFIX = 'whsec_'

/** Methods of the port `Tokens` that signatures need. */
interface Signing {
  signEach(purpose: string, text: string): readonly string[]
  signWith(key: string, text: string): string
}

/**
 * Returns a webhook's secret in base64, one for each accepted secret of the installation. It is derived from the installation's secret and a
 * seed, so that no secret is stored (docs/adr/0095).
 */
const keysOf = (tokens: Signing, webhookId: string, seed: string): readonly string[] =>
  tokens.signEach('webhook-secret', `${webhookId} ${seed}`).map(toBase64)

/** Returns the present secret in the form that developers get. Libraries for Standard Webhooks accept this form. */
export const shownSecret = (tokens: Signing, { id, secrets }: Webhook): string =>
  SECRET_PREFIX + (keysOf(tokens, id, secrets[0]?.seed ?? '')[0] ?? '')

/**
 * Returns the value of the signature header: one signature for each secret that is still valid. While the installation's secret is changed,
 * each of them has two forms, and a receiver has one of the two.
 */
export function signatureOf(
  tokens: Signing,
  { id, secrets }: Webhook,
  { messageId, timestamp, body, at }: { messageId: string; timestamp: number; body: string; at: Instant },
): string {
  return secrets
    .filter(({ until }) => until === null || until > at)
    .flatMap(({ seed }) => keysOf(tokens, id, seed))
    .map((key) => `v1,${tokens.signWith(key, `${messageId}.${timestamp}.${body}`)}`)
    .join(' ')
}

function toBase64(base64url: string): string {
  const text = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}
