import type { Service } from '../node/service'
import { Director } from './director'
import { directorLease, runQueue, type Tick } from './run-queue'

/**
 * Maximum directors that are kept for queues without tickets. When such a queue is used again, its director need not read all its tickets.
 */
export const MAX_RESTING_DIRECTORS = 1_000

/** Directors of this node: one for each queue with tickets, and some for queues that had tickets before. */
export class Directors {
  readonly byQueue = new Map<string, Director>()
  private readonly waiting = new Map<string, Promise<Tick>>()
  private wake: (queueKey: string) => void = () => undefined

  constructor(private readonly ctx: Service) {}

  /** Runs one tick of a queue. Calls that arrive before the tick begins share that tick. */
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

  /** Sets the function that is called with the key of a queue whose next tick is due at once. */
  whenDue(wake: (queueKey: string) => void): void {
    this.wake = wake
  }

  /** Returns the keys of queues with matches that wait until a server of their account ends. */
  held(): string[] {
    return [...this.byQueue].flatMap(([key, director]) => (director.isHeld ? [key] : []))
  }

  /**
   * Drops directors above MAX_RESTING_DIRECTORS, the oldest first, except those of busy queues. Returns the keys of their queues. `busy`:
   * whether a queue has work.
   */
  forgetResting(busy: (queueKey: string) => boolean): string[] {
    const resting = [...this.byQueue.keys()].filter((key) => !this.waiting.has(key) && !busy(key))
    const forgotten = resting.slice(0, Math.max(0, resting.length - MAX_RESTING_DIRECTORS))
    for (const key of forgotten) {
      this.byQueue.get(key)?.forget()
      this.byQueue.delete(key)
    }
    return forgotten
  }

  /** Releases this node's leases on its queues, so that another node can take the queues over at once. */
  async release(): Promise<void> {
    const { storage, settings, clock, logger } = this.ctx
    const now = clock.now()
    const leased = [...this.byQueue.values()].filter(({ leasedUntil }) => leasedUntil > now)
    await Promise.all(
      leased.map(async ({ queueKey }) => {
        try {
          await storage.leases.release(directorLease(queueKey), settings.nodeId)
        } catch (error) {
          // The lease expires within seconds, even when it is not released.
          logger.warn('a queue could not be given up', { queue: queueKey, error: String(error) })
        }
      }),
    )
  }

  of(queueKey: string): Director {
    const known = this.byQueue.get(queueKey)
    if (known !== undefined) return known
    const director = new Director(this.ctx, queueKey, () => this.wake(queueKey))
    this.byQueue.set(queueKey, director)
    return director
  }
}
