import type { MatchyardApp } from '../../src/index'
import { asTold } from './answers-as-told'

export interface CallOptions {
  /** An API key. */
  readonly key?: string
  /** A session or game server token. */
  readonly token?: string
  readonly player?: string
  readonly body?: unknown
  /** Body that is sent unchanged. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
}

// Bodies have no type here, so that tests can read any field. Each assertion names the value that it expects.
export type Body = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** Returns a text as a connection carries it in a header: each UTF-8 byte as a latin1 character. */
export const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

export function headersOf(options: CallOptions): Record<string, string> {
  return {
    ...(options.key === undefined ? {} : { 'api-key': options.key }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.player === undefined ? {} : { 'x-player-id': headerText(options.player) }),
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  }
}

/** Returns a function that calls the application in this process: `call('POST /v1/lobbies', { key, player, body })`. */
export function client(app: MatchyardApp) {
  return async (what: string, options: CallOptions = {}): Promise<Answer> => {
    const [method = 'GET', path = '/'] = what.split(' ')
    const body = options.body === undefined ? options.raw : JSON.stringify(options.body)
    const init: RequestInit = { method, headers: headersOf(options) }
    if (body !== undefined) Object.assign(init, { body, duplex: 'half' })
    const answer = await answerOf(await app.request(path, init))
    asTold(method, path, answer)
    return answer
  }
}

export type Client = ReturnType<typeof client>

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const json = (response.headers.get('content-type') ?? '').includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json && text !== '' ? JSON.parse(text) : undefined,
  }
}
