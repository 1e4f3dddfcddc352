import type { MatchyardApp } from '@matchyard/http'
import { judge } from './judge'

// Answers are looked into freely; every assertion names what it expects.
export type Body = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface CallOptions {
  readonly body?: unknown
  /** The body as it is, without a content type. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls as somebody: `ann('POST /v1/lobbies', { queue_id: 'duel' })`; the second argument is the JSON body. */
export type Caller = (what: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>

/** As a wire carries it: UTF-8 bytes, each a latin1 character. */
export const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** One call of the application in the process; the answer is judged by the OpenAPI document before it is handed over. */
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

/** `[status, code]` of a refusal, or `[status, undefined]` of a success. */
export const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

/** The path of the first issue of a VALIDATION_FAILED; otherwise what was answered instead. */
export const fault = ({ status, body }: Answer): string =>
  body?.code === 'VALIDATION_FAILED' ? body.details.issues[0].path : `${status} ${body?.code ?? 'success'}`
