import { MAX_KEPT_HINTS } from './link-limits'

/** Hints of an agent that the service has not taken, each once. They outlive streams, so that a cut loses none. */
export class Hints {
  private kept = new Set<string>()

  /** Whether a hint is kept. */
  get isEmpty(): boolean {
    return this.kept.size === 0
  }

  /** Adds a hint. Past the maximum, one hint without an instance replaces the others. */
  add(instanceId: string): void {
    if (this.kept.size >= MAX_KEPT_HINTS) this.kept = new Set([''])
    this.kept.add(instanceId)
  }

  /** Removes and returns hints, at most `most`. */
  take(most: number): string[] {
    const taken = [...this.kept].slice(0, most)
    for (const hint of taken) this.kept.delete(hint)
    return taken
  }
}
