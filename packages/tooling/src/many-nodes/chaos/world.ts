import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call } from '../../client'
import type { Cluster } from '../cluster'
import type { NodeProcess } from '../node-process'
import type { ChaosGround } from './ground'

/** Milliseconds after which a call without an answer has an unknown outcome. */
const GIVE_UP_MS = 20_000
const PAUSE_MS = 50

/** State that all parts of one run share. */
export class ChaosWorld {
  /** Violations of the service's guarantees, as sentences. */
  readonly violations: string[] = []
  private readonly counts = new Map<string, number>()
  /** Whether the load continues; false when it must end. */
  loading = true

  constructor(
    readonly cluster: Cluster,
    readonly ground: ChaosGround,
    /** Returns a random number in [0, 1). */
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

  /** Returns a random node that runs; waits until at least one node runs. */
  async node(): Promise<NodeProcess> {
    for (;;) {
      const node = this.pick(this.cluster.nodes.filter(({ isUp }) => isUp))
      if (node !== undefined) return node
      await wait(PAUSE_MS)
    }
  }

  /** Sends a call to a random node. Returns undefined when the outcome of the call is unknown. */
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

  /** Repeats a call until a node answers it. Use it only for calls that may be repeated. */
  async insist<T = Record<string, unknown>>(call: Call): Promise<Answer<T>> {
    for (;;) {
      const answer = await this.attempt<T>(call)
      if (answer !== undefined) return answer
    }
  }

  /**
   * Creates a lobby and returns its id. When an answer is lost, the method creates another lobby, and the first one
   * remains.
   */
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
