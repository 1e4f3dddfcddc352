import type { Instant } from '../shared/time'
import type { Webhook } from './webhook'

export const SECRET_PREFIX = 'whsec_'

/** Signs as the ports of hashing do; see `Tokens`. */
interface Signing {
  sign(purpose: string, text: string): string
  signWith(key: string, text: string): string
}

/** A secret, base64: made of the installation's and of the seed, so that none is stored (docs/adr/0095). */
const keyOf = (tokens: Signing, webhookId: string, seed: string): string =>
  toBase64(tokens.sign('webhook-secret', `${webhookId} ${seed}`))

/** As it is shown: the libraries of Standard Webhooks take it as it stands. */
export const shownSecret = (tokens: Signing, { id, secrets }: Webhook): string =>
  SECRET_PREFIX + keyOf(tokens, id, secrets[0]?.seed ?? '')

/** The header: one signature for each secret that still signs. */
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
