import type { MatchFormat } from '../config/match-format'
import type { TicketColumns } from './ticket-columns'
import { grown, type IntList } from './typed'

/** Number of relaxation steps that are processed between two yields of the generator. */
const STEPS = 1 << 12

/**
 * Stores the number of relaxation steps that each ticket has taken. A heap holds the time at which each ticket takes
 * its next step, so a tick costs time only for the tickets that take a step. The steps are the thresholds of the format
 * and, where short matches are allowed, the wait before a partial fill. A ticket also counts as relaxed when an `apart`
 * rule no longer keeps one of its players apart from another player.
 */
export class Relaxation {
  private readonly waits: readonly number[]
  /** By number of steps taken: the level of the ticket, and whether the ticket may lead a short match. */
  private readonly levelAfter: readonly number[]
  private readonly ripeAfter: readonly boolean[]
  private steps = new Uint16Array(16)
  private stamps = new Int32Array(16)
  private dueAt = new Float64Array(16)
  private slots = new Int32Array(16)
  private entryStamps = new Int32Array(16)
  private length = 0
  /** Number of waiting tickets at each level. */
  readonly atLevel: number[]
  private last = Number.NEGATIVE_INFINITY
  /** Whether some `apart` rule keeps players apart for a time only. */
  readonly expires: boolean

  constructor(
    format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    const waits = format.short ? [...format.thresholds, format.partialAfterMs] : format.thresholds
    this.waits = [...new Set(waits)].sort((a, b) => a - b)
    const after = (steps: number, wait: number) => steps > 0 && wait <= (this.waits[steps - 1] as number)
    const steps = Array.from({ length: this.waits.length + 1 }, (_, index) => index)
    this.levelAfter = steps.map((taken) => format.thresholds.filter((wait) => after(taken, wait)).length)
    this.ripeAfter = steps.map((taken) => format.short && after(taken, format.partialAfterMs))
    this.atLevel = new Array(format.thresholds.length + 1).fill(0)
    this.expires = columns.apart.some(({ expires }) => expires)
  }

  entered(slot: number): void {
    this.atLevel[0] = (this.atLevel[0] as number) + 1
    if (this.waits.length === 0 && !this.expires) return
    if (slot >= this.steps.length) {
      this.steps = grown(this.steps, this.columns.capacity)
      this.stamps = grown(this.stamps, this.columns.capacity)
    }
    this.steps[slot] = 0
    this.stamps[slot] = (this.stamps[slot] as number) + 1
    this.schedule(slot)
  }

  left(slot: number): void {
    const level = this.columns.level[slot] as number
    this.atLevel[level] = (this.atLevel[level] as number) - 1
  }

  leftAll(slots: Int32Array): void {
    if (this.atLevel.length > 1) for (let index = 0; index < slots.length; index++) this.left(slots[index] as number)
    else this.atLevel[0] = (this.atLevel[0] as number) - slots.length
  }

  isRipe(slot: number): boolean {
    return this.ripeAfter[this.steps[slot] as number] === true
  }

  /** Takes all steps that are due by `now`, and adds the slot of each ticket that relaxed to `changed`. */
  *advance(now: number, changed: IntList): Generator<undefined, void, undefined> {
    const isBack = now < this.last
    this.last = now
    if (isBack) this.restart(changed)
    for (let done = 1; this.length > 0 && (this.dueAt[0] as number) <= now; done++) {
      if (done % STEPS === 0) yield
      const slot = this.slots[0] as number
      const current = this.isCurrent(0)
      this.pop()
      if (!current) continue
      this.left(slot)
      const waited = now - (this.columns.enteredAt[slot] as number)
      let taken = this.steps[slot] as number
      while (taken < this.waits.length && waited >= (this.waits[taken] as number)) taken++
      this.steps[slot] = taken
      const level = this.levelAfter[taken] as number
      this.columns.level[slot] = level
      this.atLevel[level] = (this.atLevel[level] as number) + 1
      this.schedule(slot)
      changed.push(slot)
    }
  }

  /**
   * Returns the time (epoch milliseconds) of the next relaxation step of any waiting ticket; undefined when no ticket
   * has a further step.
   */
  nextDueAt(): number | undefined {
    while (this.length > 0 && !this.isCurrent(0)) this.pop()
    return this.length > 0 ? this.dueAt[0] : undefined
  }

  /** Sets all tickets back to level 0, because the clock was set back. */
  private restart(changed: IntList): void {
    const { columns } = this
    this.length = 0
    this.atLevel.fill(0)
    for (let slot = 0; slot < columns.high; slot++) {
      if (columns.alive[slot] !== 1) continue
      columns.level[slot] = 0
      this.entered(slot)
      changed.push(slot)
    }
  }

  private isCurrent(entry: number): boolean {
    const slot = this.slots[entry] as number
    return this.columns.alive[slot] === 1 && this.stamps[slot] === this.entryStamps[entry]
  }

  private schedule(slot: number): void {
    const due = this.dueOf(slot)
    if (due === Number.POSITIVE_INFINITY) return
    if (this.length === this.slots.length) {
      const room = this.length * 2
      this.dueAt = grown(this.dueAt, room)
      this.slots = grown(this.slots, room)
      this.entryStamps = grown(this.entryStamps, room)
    }
    let at = this.length++
    while (at > 0 && (this.dueAt[(at - 1) >> 1] as number) > due) {
      this.move((at - 1) >> 1, at)
      at = (at - 1) >> 1
    }
    this.dueAt[at] = due
    this.slots[at] = slot
    this.entryStamps[at] = this.stamps[slot] as number
  }

  /** Returns the time of the slot's next step, or of the next meeting that no longer keeps its players apart. */
  private dueOf(slot: number): number {
    const wait = this.waits[this.steps[slot] as number] ?? Number.POSITIVE_INFINITY
    return Math.min((this.columns.enteredAt[slot] as number) + wait, this.columns.nextExpiry(slot, this.last))
  }

  private pop(): void {
    const last = --this.length
    const due = this.dueAt[last] as number
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && (this.dueAt[child + 1] as number) < (this.dueAt[child] as number)) child++
      if ((this.dueAt[child] as number) >= due) break
      this.move(child, at)
      at = child
    }
    this.move(last, at)
  }

  private move(from: number, to: number): void {
    this.dueAt[to] = this.dueAt[from] as number
    this.slots[to] = this.slots[from] as number
    this.entryStamps[to] = this.entryStamps[from] as number
  }
}
