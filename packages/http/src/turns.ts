import type { Clock } from '@matchyard/core/ports'

/** Begun before the process looks at what else there is. */
const PER_TURN = 2
/** Of those that are only told that it is too late, so many more: they cost little. */
const TOLD_PER_TURN = 16

interface Waiting {
  readonly cameAt: number
  readonly begin: () => void
  readonly isTooLate: (now: number) => boolean
}

/**
 * Begins calls a few at a time. Node takes one new connection in each turn of its event loop, and answers all that came on those it has before the
 * next: a few hundred callers that call without end keep everybody else out, probes of a balancer among them, for as long as they do
 * (docs/adr/0147). So a turn begins few calls; the others stand in a line, first come, first begun, and how long they wait is known. Those for
 * whom it is too late already are told so at once.
 */
export class Turns {
  private line: Waiting[] = []
  /** The next in line. */
  private next = 0
  private begun = 0
  private told = 0
  private isTurnComing = false
  private current: Waiting | undefined

  constructor(
    private readonly clock: Clock,
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /** Runs `begin` now or in its turn. `isTooLate`: whether it would be refused, after what the line has waited. */
  take(begin: () => void, isTooLate: (now: number) => boolean): void {
    if (!this.isTurnComing) this.come()
    if (this.begun < PER_TURN && this.next === this.line.length) {
      this.begun++
      begin()
      return
    }
    const now = this.clock.now()
    if (this.told < TOLD_PER_TURN && isTooLate(now)) {
      this.told++
      begin()
    } else this.line.push({ cameAt: now, begin, isTooLate })
  }

  /** For how long, in milliseconds, the call that is being begun has stood in line, or whoever stands there for the longest. */
  waitedMs(now: number): number {
    const first = this.current ?? this.line[this.next]
    return first === undefined ? 0 : Math.max(0, now - first.cameAt)
  }

  private come(): void {
    this.isTurnComing = true
    this.afterOthers(() => this.turn())
  }

  private turn(): void {
    this.isTurnComing = false
    this.begun = 0
    this.told = 0
    if (this.next === this.line.length) return
    this.come()
    const now = this.clock.now()
    while (this.begun < PER_TURN && this.told < TOLD_PER_TURN && this.next < this.line.length) {
      this.current = this.line[this.next++]
      if (this.current?.isTooLate(now)) this.told++
      else this.begun++
      this.current?.begin()
    }
    this.current = undefined
    if (this.next < this.line.length / 2) return
    this.line = this.line.slice(this.next)
    this.next = 0
  }
}
