import { setTimeout as wait } from 'node:timers/promises'
import { EventReader } from '../event-reader'
import type { ChaosWorld } from './world'

const RECONNECT_MS = 100
/** Number of events after which the reader connects to another node, even when no node was killed. */
const MOVE_ON_AFTER = 25
/** Milliseconds within which a stream must deliver the expected version; after that it counts as stuck. */
const CATCH_UP_MS = 30_000

/**
 * Reads a lobby's stream from changing nodes, and resumes where the last connection ended. Each event must come exactly
 * once, in order.
 */
export class Following {
  private last: number | undefined
  private reader: EventReader | undefined
  private over = false
  private seen = 0
  private readonly following: Promise<void>

  constructor(
    private readonly world: ChaosWorld,
    private readonly lobbyId: string,
    private readonly player: string,
  ) {
    this.following = this.follow()
  }

  /** Waits until the event of this version has arrived, and stops reading. */
  async finish(version: number): Promise<void> {
    const until = performance.now() + CATCH_UP_MS
    while ((this.last ?? 0) < version && performance.now() < until) await wait(RECONNECT_MS)
    if (this.last !== version) {
      this.world.violations.push(`the stream of ${this.lobbyId} ended at ${this.last}; its lobby is at ${version}`)
    }
    this.over = true
    this.reader?.close()
    await this.following
  }

  private async follow(): Promise<void> {
    while (!this.over) {
      const { baseUrl } = await this.world.node()
      const { lobbyId, player, last } = this
      const key = this.world.cluster.clientKey
      try {
        this.reader = await EventReader.open({ baseUrl, key, player, lobbyId, lastEventId: last }, (event) =>
          this.take(event.name, event.id),
        )
        // `finish` was called while the connection was being opened, so it could not close this reader.
        if (this.over) this.reader.close()
        this.world.count(last === undefined ? 'streams opened' : 'streams resumed')
        await this.reader.ended
      } catch {
        // The connection broke because its node was killed. The next connection uses another node.
      }
      if (!this.over) await wait(RECONNECT_MS)
    }
  }

  private take(name: string, id: number): void {
    this.world.count('events seen')
    const expected = this.last === undefined ? undefined : this.last + 1
    if (expected !== undefined && (name !== 'lobby_updated' || id !== expected)) {
      this.world.violations.push(`the stream of ${this.lobbyId} went on with ${name} ${id} instead of ${expected}`)
    }
    this.last = id
    if (++this.seen % MOVE_ON_AFTER === 0) this.reader?.close()
  }
}
