import type { ClusterTime } from '../../src/agones/testing/index'

/** Time that passes only when a test lets it pass. */
export class SteppedTime implements ClusterTime {
  private at = Date.UTC(2030, 0, 1)
  private order = 0
  private due: { at: number; order: number; work: () => void }[] = []

  now = (): number => this.at

  after = (ms: number, work: () => void): (() => void) => {
    const entry = { at: this.at + ms, order: this.order++, work }
    this.due.push(entry)
    return () => {
      this.due = this.due.filter((one) => one !== entry)
    }
  }

  /** Time of the next due timer; undefined when there is none. */
  get next(): number | undefined {
    return this.due.length === 0 ? undefined : Math.min(...this.due.map(({ at }) => at))
  }

  /** Lets some milliseconds pass; each due timer runs at its own time. */
  pass(ms: number): void {
    const until = this.at + ms
    for (;;) {
      const [first] = this.due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.order - b.order)
      if (first === undefined) break
      this.due = this.due.filter((one) => one !== first)
      this.at = Math.max(this.at, first.at)
      first.work()
    }
    this.at = until
  }
}
