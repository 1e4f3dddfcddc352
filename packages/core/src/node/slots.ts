/** Numbers of concurrent operations on this node: in all, and of one holder. `full` makes the error for a caller without a slot. */
export interface SlotLimits {
  readonly most: number
  readonly mostEach: number
  readonly full: (why: 'all' | 'own', held: number) => Error
}

/** Slots of something that holds much while it goes on. Nobody waits for one. */
export class Slots {
  private readonly holders = new Map<string, number>()
  private total = 0

  constructor(private readonly limits: SlotLimits) {}

  /** Runs `work` in one of the holder's slots. Throws what `full` makes where there is none. */
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
