import type { Clock } from '../../ports/clock'
import type { Instant } from '../../shared/time'
import type { FeedChange } from './feed-change'

/** Minimum milliseconds between two messages about one entity. States between two messages are left out (docs/http-api.md §7). */
export const PACE_MS = 100

const nameOf = ({ kind, id }: FeedChange) => `${kind} ${id}`

/** Times of the recent messages about each entity. With them, no entity is sent twice within `PACE_MS`. */
export class Pace {
  /** Time of the last message about each entity, by entity; the oldest first. */
  private readonly told = new Map<string, Instant>()

  constructor(private readonly clock: Clock) {}

  /** Returns the time from which these changes may be sent. */
  dueAt(changes: readonly FeedChange[]): Instant {
    let due = 0
    for (const change of changes) due = Math.max(due, (this.told.get(nameOf(change)) ?? -PACE_MS) + PACE_MS)
    return due
  }

  note(changes: readonly FeedChange[]): void {
    const now = this.clock.now()
    for (const [name, at] of this.told) {
      if (at + PACE_MS > now) break
      this.told.delete(name)
    }
    for (const change of changes) {
      const name = nameOf(change)
      this.told.delete(name)
      this.told.set(name, now)
    }
  }

  /** Whether no entity was sent within the last `PACE_MS`. */
  get isOver(): boolean {
    this.note([])
    return this.told.size === 0
  }
}
