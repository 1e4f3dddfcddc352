import { Agent, request } from 'node:http'
import type { HarmWorld } from './world'

/** Milliseconds after which a call without an answer counts as this long, with status 0. */
const CALL_TIMEOUT_MS = 20_000

export interface Reply {
  readonly status: number
  readonly ms: number
}

/** A caller of operations without credentials; uses its own connections from `localAddress`. */
export class Caller {
  private readonly agent: Agent

  constructor(
    private readonly world: HarmWorld,
    private readonly localAddress: string,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: 64 })
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const text = JSON.stringify(body)
    const startedAt = performance.now()
    return new Promise((resolve) => {
      const done = (status: number) => resolve({ status, ms: performance.now() - startedAt })
      const sent = request(
        new URL(path, this.world.baseUrl),
        {
          method: 'POST',
          agent: this.agent,
          localAddress: this.localAddress,
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
          headers: {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
            ...headers,
          },
        },
        (response) => response.resume().once('close', () => done(response.statusCode ?? 0)),
      )
      sent.once('error', () => done(0))
      sent.end(text)
    })
  }

  /** Signs in as the operator of the installation. */
  signIn(): Promise<Reply> {
    const { email, password } = this.world.credentials
    return this.post('/v1/auth/login', { email, password })
  }

  /** Makes one call after another until `until` (a time of `performance.now`), with a pause of `pauseMs` after each. */
  async repeat(until: number, pauseMs: number, call: (count: number) => Promise<Reply>): Promise<Reply[]> {
    const replies: Reply[] = []
    while (performance.now() < until) {
      replies.push(await call(replies.length))
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return replies
  }

  close(): void {
    this.agent.destroy()
  }
}

export const longestOf99 = (replies: readonly Reply[]): number =>
  replies.map(({ ms }) => ms).sort((a, b) => a - b)[Math.max(0, Math.ceil(0.99 * replies.length) - 1)] ?? 0
