interface Entry<Value> {
  readonly owner: string
  readonly value: Value
}

/** Fraction of the entries that are removed together, so that few insertions have to read all entries. */
const FORGOTTEN_PART = 0.1

/**
 * A map with a maximum size that is fair between the owners of its entries. When the map is full, the owners with the
 * most entries lose their oldest entries, until they have equally many. An owner with few entries keeps them,
 * regardless of entries that others add.
 */
export class FairMap<Value> {
  private readonly entries = new Map<string, Entry<Value>>()
  private readonly counts = new Map<string, number>()

  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size
  }

  get(name: string): Value | undefined {
    return this.entries.get(name)?.value
  }

  /** Adds an entry, or replaces the entry with the same name. The entry then counts as the newest. */
  set(name: string, owner: string, value: Value): void {
    this.delete(name)
    if (this.entries.size >= this.max) this.makeRoom()
    this.entries.set(name, { owner, value })
    this.counts.set(owner, (this.counts.get(owner) ?? 0) + 1)
  }

  delete(name: string): void {
    const entry = this.entries.get(name)
    if (entry !== undefined) this.remove(name, entry.owner)
  }

  private remove(name: string, owner: string): void {
    this.entries.delete(name)
    const left = (this.counts.get(owner) ?? 1) - 1
    if (left === 0) this.counts.delete(owner)
    else this.counts.set(owner, left)
  }

  private makeRoom(): void {
    const target = this.max - Math.max(1, Math.floor(this.max * FORGOTTEN_PART))
    const level = levelOf([...this.counts.values()], target)
    this.cut(level, target)
    // If all owners have one entry each and the map is still too large, the oldest entries are removed.
    this.cut(0, target)
  }

  /**
   * Removes entries of owners with more than `level` entries, oldest first, until at most `target` entries are left.
   */
  private cut(level: number, target: number): void {
    if (this.entries.size <= target) return
    for (const [name, { owner }] of this.entries) {
      if ((this.counts.get(owner) ?? 0) <= level) continue
      this.remove(name, owner)
      if (this.entries.size <= target) return
    }
  }
}

/**
 * Returns the maximum number of entries per owner for which all owners together keep at most `target` entries; at least
 * 1.
 */
function levelOf(counts: number[], target: number): number {
  counts.sort((a, b) => a - b)
  let left = target
  for (const [index, count] of counts.entries()) {
    const share = Math.floor(left / (counts.length - index))
    if (count > share) return Math.max(1, share)
    left -= count
  }
  return Math.max(1, counts.at(-1) ?? 1)
}
