import type { Clock } from '@matchyard/core/ports'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Milliseconds of uptime of a server, after which the pause of its warm pool is reset. */
const STANDS_AFTER_MS = 60_000

/**
 * Increasing pauses (backoff) for warm pools whose servers end early. Without a pause, a server that does not wait for
 * its configuration would be restarted again and again.
 */
export class Setbacks {
  private readonly known = new Map<string, { readonly pauseMs: number; readonly until: number }>()

  constructor(private readonly clock: Clock) {}

  /**
   * Records that a server of the pool ended early. Returns the pause in milliseconds before the next try: 5 seconds,
   * doubled each time, at most 5 minutes.
   */
  note(pool: string): number {
    const before = this.known.get(pool)
    const pauseMs = Math.min(before === undefined ? FIRST_PAUSE_MS : 2 * before.pauseMs, LONGEST_PAUSE_MS)
    this.known.set(pool, { pauseMs, until: this.clock.now() + pauseMs })
    return pauseMs
  }

  mayTry(pool: string): boolean {
    return (this.known.get(pool)?.until ?? Number.NEGATIVE_INFINITY) <= this.clock.now()
  }

  /**
   * Resets the pause of a pool when a server of the pool has been up for 60 seconds. `since` is the time at which that
   * server started.
   */
  stands(pool: string, since: number): void {
    if (this.clock.now() - since >= STANDS_AFTER_MS) this.known.delete(pool)
  }
}
