/**
 * Maximum number of rows that this node has in the database at the same time for one rule and one owner, for example
 * for the players of a project.
 */
export const MAX_ROWS_PER_OWNER = 200
/** Maximum number of rows that this node has in the database at the same time for one rule and all owners. */
export const MAX_ROWS_PER_RULE = 10_000

interface Row {
  readonly owner: string
  readonly endsAt: number
}

/**
 * Decides which keys of a rate limit are counted in the database by this node. Callers can invent keys, and each key
 * would be a row.
 */
export class RowBudget {
  /** Rows by key. All windows have the same length, so the first row is the next to expire. */
  private readonly rows = new Map<string, Row>()
  private readonly byOwner = new Map<string, number>()

  constructor(private readonly windowMs: number) {}

  /**
   * Whether the key is counted in the database. A new key takes a row if a row is free. Keys without an owner are
   * limited only by the rows of the rule.
   */
  takes(owner: string, key: string, now: number): boolean {
    for (const [over, { endsAt }] of this.rows) {
      if (endsAt > now) break
      this.forget(over)
    }
    if (this.rows.has(key)) return true
    const count = this.byOwner.get(owner) ?? 0
    if ((owner !== '' && count >= MAX_ROWS_PER_OWNER) || this.rows.size >= MAX_ROWS_PER_RULE) return false
    this.rows.set(key, { owner, endsAt: now + this.windowMs })
    this.byOwner.set(owner, count + 1)
    return true
  }

  private forget(key: string): void {
    const { owner } = this.rows.get(key) ?? { owner: '' }
    this.rows.delete(key)
    const count = (this.byOwner.get(owner) ?? 1) - 1
    if (count > 0) this.byOwner.set(owner, count)
    else this.byOwner.delete(owner)
  }
}
