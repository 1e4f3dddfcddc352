import type { ErrorCode } from '../errors/catalogue'

/** Maximum number of pairs of a project and an error code that this node counts before it writes them to the history. */
export const MAX_COUNTED_REFUSALS = 10_000

/** Number of refused calls of a project with one error code. */
export interface RefusalCount {
  readonly projectId: string
  readonly code: ErrorCode
  readonly count: number
}

/**
 * Refused calls on this node since they were last written to the history, by project and error code. A refusal itself writes nothing.
 * Beyond MAX_COUNTED_REFUSALS pairs, refusals of further pairs are only counted as left out.
 */
export class RefusalCounts {
  private readonly byPair = new Map<string, RefusalCount>()
  private left = 0

  count(projectId: string, code: ErrorCode): void {
    const pair = `${projectId} ${code}`
    const known = this.byPair.get(pair)
    if (known === undefined && this.byPair.size >= MAX_COUNTED_REFUSALS) this.left++
    else this.byPair.set(pair, { projectId, code, count: (known?.count ?? 0) + 1 })
  }

  /** Returns the counted refusals and the number of refusals that were left out, and begins anew. */
  take(): { readonly counts: readonly RefusalCount[]; readonly leftOut: number } {
    const taken = { counts: [...this.byPair.values()], leftOut: this.left }
    this.byPair.clear()
    this.left = 0
    return taken
  }
}
