import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Call, Client } from '../../src/client'
import type { HarmWorld } from '../harm/world'

/** State and helpers that all parts of the load share. */
export class Load {
  /** False once all parts must end. */
  going = true
  calls = 0
  /** Unexpected results, with a count of each. */
  readonly astonishing = new Map<string, number>()
  private readonly counts = new Map<string, number>()
  private readonly client: Client
  private readonly anonymous: Client

  constructor(
    readonly world: HarmWorld,
    /** Returns a random number in [0, 1). */
    readonly random: () => number,
  ) {
    this.client = world.client()
    this.anonymous = new Client(world.baseUrl)
  }

  get clientKey(): string {
    return this.world.credentials.client_key
  }

  get serverKey(): string {
    return this.world.credentials.server_key
  }

  /** Sends a call that may have any result except a failure of the service. */
  call<T = Record<string, unknown>>(call: Call): Promise<Answer<T>> {
    return this.send(this.client, call)
  }

  /** Sends a call to the control plane, with a session token or without credentials. */
  control<T = Record<string, unknown>>(call: Call, token?: string): Promise<Answer<T>> {
    return this.send(this.anonymous, {
      ...call,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  }

  /** Sends a call with the server key. */
  backend<T = Record<string, unknown>>(call: Call): Promise<Answer<T>> {
    return this.call<T>({ key: this.serverKey, ...call })
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  astonished(what: string): void {
    this.astonishing.set(what, (this.astonishing.get(what) ?? 0) + 1)
  }

  get tally(): string {
    return [...this.counts].map(([what, count]) => `${what} ${count}`).join(', ')
  }

  /** Repeats `work` about every `everyMs` milliseconds until the end of the load. */
  async repeat(everyMs: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    await this.pause(this.random() * everyMs)
    for (let turn = 0; this.going; turn++) {
      const startedAt = performance.now()
      try {
        await work(turn)
      } catch (error) {
        // The service may close a kept connection at the moment when it is used again.
        if (String(error).includes('ECONNRESET')) this.count('connections reset')
        else if (this.going) this.astonished(String(error).slice(0, 200))
      }
      await this.pause(everyMs * (0.75 + this.random() / 2) - (performance.now() - startedAt))
    }
  }

  /** Checks a condition every 200 ms until it holds, the load ends, or `withinMs` milliseconds have passed. */
  async until(what: string, holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
    const giveUpAt = performance.now() + withinMs
    while (this.going) {
      if (await holds()) return
      if (performance.now() > giveUpAt) return this.astonished(`${what} took more than ${withinMs / 1_000} s`)
      await wait(200)
    }
  }

  /** Pauses for `ms` milliseconds, or until the load ends. */
  async pause(ms: number): Promise<void> {
    const until = performance.now() + ms
    while (this.going && performance.now() < until) await wait(Math.min(250, Math.max(1, until - performance.now())))
  }

  close(): void {
    this.client.close()
    this.anonymous.close()
  }

  private async send<T>(client: Client, call: Call): Promise<Answer<T>> {
    this.calls++
    const answer = await client.call<T>(call)
    if (answer.status >= 500) {
      this.astonished(`${call.method} ${call.path.replaceAll(/_[0-9A-Z]{20,}/g, '_…')}: ${answer.status}`)
    }
    return answer
  }
}
