import type { Build, JsonObject, Lobby, Match, Server, WebhooksCreateBody } from '../api/types'

const TOLERANCE_SECONDS = 300
/** Minimum bytes of a secret. A shorter text cannot be a secret of the service, and could be guessed. */
const LEAST_SECRET_BYTES = 16

type MessageType = NonNullable<WebhooksCreateBody['types']>[number]

type DataOf<T extends MessageType> = T extends `match.${string}`
  ? Match
  : T extends `lobby.${string}`
    ? Lobby
    : T extends `server.${string}`
      ? Server
      : Build

interface Sent<T extends string, D> {
  /** Id of the message, which is the same at every attempt. Skip a message whose id you have processed before. */
  readonly id: string
  /** Type of the event. */
  readonly type: T
  /** Time of the event, ISO 8601. */
  readonly created_at: string
  /** Project of the event. */
  readonly project_id: string
  /** The changed resource, in its state after the change. */
  readonly data: D
}

/** Webhook message; `type` determines the type of `data`. */
export type WebhookMessage = { [T in MessageType]: Sent<T, DataOf<T>> }[MessageType] | Sent<'webhook.test', JsonObject>

/** Headers of a request: a `Headers` object, or Node's plain object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the message of a webhook request. First checks that the service signed the message and sent it recently. The
 * caller passes the exact bytes of the body, the headers, and the webhook's secret. Throws an `Error` when the check
 * fails; your endpoint should then answer with status 400.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  now: number = Date.now(),
): Promise<WebhookMessage> {
  const header = (name: string): string => {
    const found = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
    if (typeof found !== 'string') throw new Error(`the header ${name} is missing`)
    return found
  }
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  const age = Math.abs(now / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_SECONDS)) throw new Error('the message is more than five minutes old, or a clock is wrong')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const raw = bytesOf(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length < LEAST_SECRET_BYTES) throw new Error('the secret is not the secret of a webhook')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const one of (signatures ?? '').split(' ')) {
    const [version, signature = ''] = one.split(',')
    if (version !== 'v1') continue
    const given = bytesOf(signature)
    if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, signed)))
      return JSON.parse(text) as WebhookMessage
  }
  throw new Error('the signature is not of this secret')
}

/** Returns the bytes of a base64 text; undefined for a text that is not valid base64. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
