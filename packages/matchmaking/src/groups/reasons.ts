import type { Unit } from './unit'

/** Changes in a part of the pool since the last tick. */
export interface PartNews {
  /** New tickets: each may be anywhere in a new match. */
  readonly came: number[]
  /** Tickets that relaxed, or were not searched to the end: each may lead a new match. */
  readonly leading: number[]
}

/**
 * Reasons why there may be a match where the last tick left none: it contains a ticket that came since, or is led by a ticket that relaxed or
 * was not searched to the end. So there are at most as many new matches as reasons, and only tickets that may lead one of these are anchors.
 */
export class Reasons {
  /** Matches that can be made at most. */
  count: number
  /** By slot of an anchor: bit 0: it is a reason itself; bit i + 1: it may lead a match with the newcomer i. */
  private readonly anchors = new Map<number, number>()
  /** By newcomer: its place in the unit. */
  private places: readonly number[] | undefined

  constructor(
    private readonly came: readonly number[],
    /** Whether there are too many reasons to distinguish: then every near ticket may lead a match. */
    readonly untold = 0,
  ) {
    this.count = untold
  }

  get none(): boolean {
    return this.count === 0
  }

  /** The anchor is a reason itself. */
  addItself(anchor: number): void {
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) | 1)
  }

  /** The anchor may lead a match with a newcomer, given by number. */
  addWith(newcomer: number, anchor: number): void {
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) | (2 << newcomer))
  }

  has(slot: number): boolean {
    return this.untold > 0 || this.anchors.has(slot)
  }

  /** Whether an anchor may still lead a match: it may by itself, or a newcomer that it may lead one with is not served yet. */
  stand(unit: Unit, slot: number): boolean {
    const bits = this.untold > 0 ? 1 : (this.anchors.get(slot) ?? 0)
    if (bits & 1) return true
    this.places ??= this.came.map((newcomer) => unit.slots.indexOf(newcomer))
    return this.places.some((place, index) => bits & (2 << index) && unit.served[place] === 0)
  }
}
