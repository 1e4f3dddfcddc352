/** Rows that this node writes at once for one rule and one owner, as the players of a project. */
export const MAX_ROWS_PER_OWNER = 200
/** For one rule and all owners. */
export const MAX_ROWS_PER_RULE = 10_000

interface Row {
  readonly owner: string
  readonly endsAt: number
}

/** Which keys of one rule this node counts in the database: callers can invent keys, and each would be a row. */
export class RowBudget {
  /** By key. All windows are of one length, so the one that is over soonest stands first. */
  private readonly rows = new Map<string, Row>()
  private readonly byOwner = new Map<string, number>()

  constructor(private readonly windowMs: number) {}

  /** Whether the key is counted in the database; a new one takes a place, where there is one. Keys without an owner share those of the rule. */
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
