import type { Clock } from '@matchyard/core/ports'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** What has stayed up for so long was no setback. */
const STANDS_AFTER_MS = 60_000

/** A pool whose servers do not stay up is tried again with growing pauses: one that does not wait for its configuration would be started without end. */
export class Setbacks {
  private readonly known = new Map<string, { readonly pauseMs: number; readonly until: number }>()

  constructor(private readonly clock: Clock) {}

  /** Answers for how long it is left alone. */
  note(pool: string): number {
    const before = this.known.get(pool)
    const pauseMs = Math.min(before === undefined ? FIRST_PAUSE_MS : 2 * before.pauseMs, LONGEST_PAUSE_MS)
    this.known.set(pool, { pauseMs, until: this.clock.now() + pauseMs })
    return pauseMs
  }

  mayTry(pool: string): boolean {
    return (this.known.get(pool)?.until ?? Number.NEGATIVE_INFINITY) <= this.clock.now()
  }

  /** One of it is there since then. */
  stands(pool: string, since: number): void {
    if (this.clock.now() - since >= STANDS_AFTER_MS) this.known.delete(pool)
  }
}
