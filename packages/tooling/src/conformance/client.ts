import type { MatchyardApp } from '@matchyard/http'
import { judge } from './judge'

// A body of an answer. Bodies have no static types: each assertion states the value that it expects.
export type Body = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface CallOptions {
  readonly body?: unknown
  /** The body as text or bytes. It is sent unchanged and without a content type. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a call with fixed credentials, for example `ann('POST /v1/lobbies', { queue_id: 'duel' })`. The second argument
 * is the JSON body.
 */
export type Caller = (what: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>

/** Returns the text in the form in which HTTP libraries send a header: UTF-8 bytes, each as a latin1 character. */
export const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/**
 * Sends one call to the application in this process. The function checks the answer against the OpenAPI document before
 * it returns the answer.
 */
export async function send(app: MatchyardApp, what: string, options: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = what.split(' ')
  const json = options.body === undefined ? {} : { 'content-type': 'application/json' }
  const init: RequestInit = { method, headers: { ...json, ...options.headers } }
  const body = options.body === undefined ? options.raw : JSON.stringify(options.body)
  if (body !== undefined) Object.assign(init, { body, duplex: 'half' })
  const response = await app.request(path, init)
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
  judge({ method, pathname: path.split('?')[0] ?? path, ...answer })
  return answer
}

/** Returns `[status, code]` of an error, or `[status, undefined]` of a success. */
export const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

/**
 * Returns the path of the first issue of a VALIDATION_FAILED error; for any other answer, its status and error code as
 * text.
 */
export const fault = ({ status, body }: Answer): string =>
  body?.code === 'VALIDATION_FAILED' ? body.details.issues[0].path : `${status} ${body?.code ?? 'success'}`
