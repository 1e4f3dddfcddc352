import type { Service } from '../node/service'
import { Director } from './director'
import { directorLease, runQueue, type Tick } from './run-queue'

/** Queues in which nobody waits whose directors are kept: a queue that is played now and then needs no new one each time. */
export const MAX_RESTING_DIRECTORS = 1_000

/** The directors of this node, one per queue in which somebody waits, and those of some in which somebody did. */
export class Directors {
  readonly byQueue = new Map<string, Director>()
  private readonly waiting = new Map<string, Promise<Tick>>()

  constructor(private readonly ctx: Service) {}

  /** One tick of a queue; a tick asked for while one is waiting its turn is that one. */
  run(queueKey: string): Promise<Tick> {
    const pending = this.waiting.get(queueKey)
    if (pending !== undefined) return pending
    const tick = this.ctx.node.turns.run(`director:${queueKey}`, () => {
      this.waiting.delete(queueKey)
      return runQueue(this.ctx, this.of(queueKey))
    })
    this.waiting.set(queueKey, tick)
    return tick
  }

  /** Queues whose matches wait for a server of their account to end. */
  held(): string[] {
    return [...this.byQueue].flatMap(([key, director]) => (director.isHeld ? [key] : []))
  }

  /** Forgets those who have rested longest, past what is kept; answers whose. `busy`: queues that are no queues at rest. */
  forgetResting(busy: (queueKey: string) => boolean): string[] {
    const resting = [...this.byQueue.keys()].filter((key) => !this.waiting.has(key) && !busy(key))
    const forgotten = resting.slice(0, Math.max(0, resting.length - MAX_RESTING_DIRECTORS))
    for (const key of forgotten) this.byQueue.delete(key)
    return forgotten
  }

  /** Gives up the queues whose leases are this node's, so that nobody there waits for them to run out. */
  async release(): Promise<void> {
    const { storage, settings, clock, logger } = this.ctx
    const now = clock.now()
    const leased = [...this.byQueue.values()].filter(({ leasedUntil }) => leasedUntil > now)
    await Promise.all(
      leased.map(async ({ queueKey }) => {
        try {
          await storage.leases.release(directorLease(queueKey), settings.nodeId)
        } catch (error) {
          // The lease expires by itself within seconds.
          logger.warn('a queue could not be given up', { queue: queueKey, error: String(error) })
        }
      }),
    )
  }

  of(queueKey: string): Director {
    const known = this.byQueue.get(queueKey)
    if (known !== undefined) return known
    const director = new Director(this.ctx, queueKey)
    this.byQueue.set(queueKey, director)
    return director
  }
}
