/**
 * Maximum numbers of concurrent operations on this node: `most` in total, `mostEach` for one holder (an account or a project). `full` makes
 * the error for a caller that gets no slot.
 */
export interface SlotLimits {
  readonly most: number
  readonly mostEach: number
  readonly full: (why: 'all' | 'own', held: number) => Error
}

/** Slots for operations that need many resources. A caller that finds no free slot is refused at once and does not wait. */
export class Slots {
  private readonly holders = new Map<string, number>()
  private total = 0

  constructor(private readonly limits: SlotLimits) {}

  /** Runs `work` in one of the holder's slots. Throws the error of `full` when no slot is free. */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const { most, mostEach, full } = this.limits
    const mine = this.holders.get(holder) ?? 0
    if (mine >= mostEach) throw full('own', mine)
    if (this.total >= most) throw full('all', this.total)
    this.holders.set(holder, mine + 1)
    this.total++
    try {
      return await work()
    } finally {
      this.total--
      const left = (this.holders.get(holder) ?? 1) - 1
      if (left > 0) this.holders.set(holder, left)
      else this.holders.delete(holder)
    }
  }
}
