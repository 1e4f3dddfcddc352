import type { Unit } from './unit'

/** Changes in one part of the pool since the last tick. */
export interface PartNews {
  /** Slots of new tickets. A new match may contain each of them as any of its tickets. */
  readonly came: number[]
  /** Slots of tickets that relaxed, and of tickets with an incomplete search: each of them may lead a new match. */
  readonly leading: number[]
}

/**
 * Reasons why a match may exist where the last tick left no match. Such a match contains a new ticket, or its leader
 * has relaxed, or the search of its leader was not complete. So there are at most as many new matches as reasons, and a
 * tick searches only the tickets that may lead such a match.
 */
export class Reasons {
  /** Most new matches that can be made for these reasons. */
  count: number
  /**
   * By slot of an anchor (the ticket that leads a match): bit 0 says that the anchor is a reason itself; bit i + 1 says
   * that the anchor may lead a match with new ticket i.
   */
  private readonly anchors = new Map<number, number>()
  /** By number of a new ticket: the place (position) of the ticket in the unit. */
  private places: readonly number[] | undefined

  constructor(
    private readonly came: readonly number[],
    /**
     * Number of reasons where there are too many to examine separately, otherwise 0. Every ticket near a reason may
     * then lead a match.
     */
    readonly untold = 0,
  ) {
    this.count = untold
  }

  get none(): boolean {
    return this.count === 0
  }

  /** Records that an anchor is a reason itself. */
  addItself(anchor: number): void {
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) | 1)
  }

  /** Records that an anchor may lead a match with the new ticket number `newcomer`. */
  addWith(newcomer: number, anchor: number): void {
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) | (2 << newcomer))
  }

  has(slot: number): boolean {
    return this.untold > 0 || this.anchors.has(slot)
  }

  /** Whether an anchor may still lead a match: it is a reason itself, or one of its new tickets is not served yet. */
  stand(unit: Unit, slot: number): boolean {
    const bits = this.untold > 0 ? 1 : (this.anchors.get(slot) ?? 0)
    if (bits & 1) return true
    this.places ??= this.came.map((newcomer) => unit.slots.indexOf(newcomer))
    return this.places.some((place, index) => bits & (2 << index) && unit.served[place] === 0)
  }
}
