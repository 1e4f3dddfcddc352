import type { ObservedServer } from '@matchyard/core/ports'

/**
 * Milliseconds for which a starting server is observed at short intervals. A server that is still starting after this
 * time is observed at the usual intervals.
 */
const HURRY_MS = 60_000

/** Finds the starting servers that must be observed again soon, because players wait for them. */
export class Newcomers {
  private readonly since = new Map<string, { readonly attempt: number; readonly at: number }>()

  /**
   * Returns the instances that have been starting for less than 60 seconds. `now` is in milliseconds, by any clock that
   * always runs forward.
   */
  among(looked: readonly ObservedServer[], now: number): string[] {
    return looked.flatMap(({ instanceId, attempt, state }) => {
      const known = this.since.get(instanceId)
      if (state !== 'starting') {
        if (known?.attempt === attempt) this.since.delete(instanceId)
        return []
      }
      const at = known?.attempt === attempt ? known.at : now
      if (known?.attempt !== attempt) this.since.set(instanceId, { attempt, at })
      return now - at < HURRY_MS ? [instanceId] : []
    })
  }

  /** Removes the data about an instance that no longer exists. */
  forget(instanceId: string): void {
    this.since.delete(instanceId)
  }
}
