import { randomUUID } from 'node:crypto'
import { backOffMs, pause } from './back-off'
import { bounded } from './bounded'
import type { Configuration } from './configuration'
import { type MatchyardError, refusalOf, unreachable } from './error'

const ATTEMPT_MS = 10_000
/** Maximum number of tries after an internal error of the service, because more tries would not help. */
const TRIES_OF_A_BUG = 3

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path after `/v1/servers/self/`. */
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Calls of a game server about itself. A call that the service cannot process at the moment is repeated. */
export class ServiceApi {
  private readonly base: string
  readonly authorization: string

  constructor({ api_url, token }: Pick<Configuration, 'api_url' | 'token'>) {
    this.base = `${api_url.replace(/(?<!\/)\/+$/, '')}/v1/servers/self`
    this.authorization = `Bearer ${token}`
  }

  url(path: string): string {
    return `${this.base}/${path}`
  }

  /**
   * Repeats a call until the service answers. All tries have one idempotency key, so the call takes effect once. Throws
   * MatchyardError for a refusal, and the signal's reason for an aborted signal.
   */
  async call<T>({ method, path, body, signal }: Call): Promise<T> {
    const headers: Record<string, string> = { authorization: this.authorization }
    if (method !== 'GET') headers['idempotency-key'] = randomUUID()
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    for (let failures = 1; ; failures++) {
      const { answer, error, retryAfterMs } = await this.attempt<T>(path, init, signal)
      if (error === undefined) return answer as T
      if (!isWorthAnother(error, failures)) throw error
      await pause(backOffMs(failures, retryAfterMs), signal)
    }
  }

  /** Sends a heartbeat. A failed heartbeat is not repeated, because the next one replaces it. */
  async beat(): Promise<void> {
    await this.attempt('heartbeat', { method: 'POST', headers: { authorization: this.authorization } })
  }

  private async attempt<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<Attempt<T>> {
    try {
      return await bounded(ATTEMPT_MS, signal, async (within) => {
        const answer = await fetch(this.url(path), { ...init, signal: within })
        if (!answer.ok) return { error: await refusalOf(answer), retryAfterMs: retryAfterMs(answer) }
        const text = await answer.text()
        return { answer: (text === '' ? undefined : JSON.parse(text)) as T }
      })
    } catch (cause) {
      signal?.throwIfAborted()
      return { error: unreachable(`the service did not answer: ${reasonOf(cause)}`, 0, cause) }
    }
  }
}

interface Attempt<T> {
  readonly answer?: T
  readonly error?: MatchyardError
  readonly retryAfterMs?: number
}

function isWorthAnother({ code }: MatchyardError, failures: number): boolean {
  if (code === 'INTERNAL') return failures < TRIES_OF_A_BUG
  return code === 'UNAVAILABLE' || code === 'RATE_LIMITED' || code === 'CONFLICT'
}

function retryAfterMs(answer: Response): number {
  const seconds = Number(answer.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? seconds * 1_000 : 0
}

/**
 * Returns the reason why no answer arrived: the cause of a `fetch` error, because the error's own message contains no
 * information.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause ? String(cause.code) : error.message)
}
