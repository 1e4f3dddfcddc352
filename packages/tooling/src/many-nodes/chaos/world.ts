import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call } from '../../client'
import type { Cluster } from '../cluster'
import type { NodeProcess } from '../node-process'
import type { ChaosGround } from './ground'

/** A call that took longer has an unknown outcome. */
const GIVE_UP_MS = 20_000
const PAUSE_MS = 50

/** State shared by all parts of one run. */
export class ChaosWorld {
  /** Violations in words. */
  readonly violations: string[] = []
  private readonly counts = new Map<string, number>()
  /** False once the load is to end. */
  loading = true

  constructor(
    readonly cluster: Cluster,
    readonly ground: ChaosGround,
    /** Draws from [0, 1). */
    readonly random: () => number,
  ) {}

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)]
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  get tally(): string {
    return [...this.counts].map(([what, count]) => `${what} ${count}`).join(', ')
  }

  /** A node that is up. */
  async node(): Promise<NodeProcess> {
    for (;;) {
      const node = this.pick(this.cluster.nodes.filter(({ isUp }) => isUp))
      if (node !== undefined) return node
      await wait(PAUSE_MS)
    }
  }

  /** A call on some node; undefined where its outcome is unknown. */
  async attempt<T = Record<string, unknown>>(call: Call): Promise<Answer<T> | undefined> {
    const node = await this.node()
    const tooLate = new AbortController()
    const answer = await Promise.race([
      node.call<T>(call).catch(() => undefined),
      wait(GIVE_UP_MS, undefined, { signal: tooLate.signal }).catch(() => undefined),
    ])
    tooLate.abort()
    const known = answer !== undefined && answer.status < 500 ? answer : undefined
    this.count(known === undefined ? 'calls of unknown outcome' : 'calls answered')
    if (known === undefined) await wait(PAUSE_MS)
    return known
  }

  /** Repeats a call until it is answered: for repeatable calls. */
  async insist<T = Record<string, unknown>>(call: Call): Promise<Answer<T>> {
    for (;;) {
      const answer = await this.attempt<T>(call)
      if (answer !== undefined) return answer
    }
  }

  /** Makes a lobby, more than one where an answer was lost. */
  async makeLobby(player: string, queueId: string): Promise<string> {
    const body = { queue_id: queueId }
    for (;;) {
      const { status, body: made } = await this.insist<{ lobby_id: string }>({
        method: 'POST',
        path: '/v1/lobbies',
        player,
        body,
      })
      if (status === 201) return made.lobby_id
      await wait(PAUSE_MS)
    }
  }
}
