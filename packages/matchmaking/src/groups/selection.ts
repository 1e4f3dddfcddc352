import type { LevelBounds } from '../columns/level-bounds'
import type { TicketColumns } from '../columns/ticket-columns'
import { ALL_REGIONS, popcount16 } from '../rules/region-mask'
import type { Fit } from '../seating/fit'

/**
 * The tickets that a search has chosen so far for one match, as a stack. `push` refuses a ticket with which the match
 * could not become valid at the current level. Rules on teams are not checked here: the seating checks them later.
 */
export class Selection {
  readonly slots: number[] = []
  /** By number of chosen tickets: the state of the seating (see `Fit`). */
  private readonly states: number[] = [0]
  private readonly levels: LevelBounds
  /**
   * First index: the number of chosen tickets. Second index: the rule. The values are those that all tickets chosen up
   * to this point have in common.
   */
  private readonly low: number[] = []
  private readonly high: number[] = []
  private readonly masks: number[] = []
  private readonly keys: number[] = []
  private readonly hashes: number[] = []
  /** By number of the `values` rule: the values of all chosen players. */
  private readonly values: unknown[][]
  private level = 0

  constructor(
    private readonly columns: TicketColumns,
    /** Checks the seating; undefined where the caller knows that the tickets can sit together. */
    private readonly fit?: Fit,
  ) {
    this.levels = columns.levels
    this.values = columns.valueRules.map(() => [])
  }

  /** Returns the largest difference between the sort values (`order`) of two tickets in a match, at a level. */
  reachAt(level: number): number {
    return this.levels.ranges[0]?.[level] ?? Number.POSITIVE_INFINITY
  }

  /** Removes all chosen tickets, and sets the level whose bounds `push` applies. */
  start(level: number): void {
    this.level = level
    this.slots.length = 0
    this.states.length = 1
    this.hashes.length = 0
    for (const all of this.values) all.length = 0
    this.fit?.trim()
  }

  get players(): number {
    return this.hashes.length
  }

  get state(): number {
    return this.states[this.states.length - 1] as number
  }

  /** Spread of the chosen tickets: the difference of their values for the first `range` rule. */
  get spread(): number {
    if (this.levels.ranges.length === 0 || this.slots.length === 0) return 0
    const at = (this.slots.length - 1) * this.levels.ranges.length
    // The difference is NaN where no ticket has a value.
    return (this.high[at] as number) - (this.low[at] as number) || 0
  }

  push(slot: number): boolean {
    const { columns, level } = this
    if ((columns.gates[slot] as number) & (this.levels.gateBits[level] as number)) return false
    // The seating is checked first: most candidates fail this check, and a remembered result takes one lookup.
    const state = this.fit ? this.fit.next(this.state, columns.kind[slot] as number) : 0
    if (state < 0) return false
    const depth = this.slots.length
    if (!this.widen(slot, depth) || !this.overlap(slot, depth) || !this.agree(slot, depth)) return false
    if (!this.isNew(slot)) return false
    if (columns.apart.length > 0 && this.slots.some((other) => columns.parts(other, slot, level))) return false
    if (this.values.length > 0 && !this.valuesHold(slot)) return false
    this.slots.push(slot)
    this.states.push(state)
    const hashes = columns.partyHashes[slot]
    if (hashes) for (const hash of hashes) this.hashes.push(hash)
    else this.hashes.push(columns.playerHash[slot] as number)
    return true
  }

  pop(): void {
    const slot = this.slots.pop() as number
    this.states.pop()
    if (this.values.length > 0) this.dropValues(slot)
    this.hashes.length -= this.columns.players[slot] as number
  }

  /**
   * `push` checks `values` rules before the match is complete: values that break such a rule still break it when more
   * values are added.
   */
  private valuesHold(slot: number): boolean {
    const { columns, level, values } = this
    let holds = true
    columns.valueRules.forEach(({ kind, bounds, off }, rule) => {
      const all = values[rule] as unknown[]
      for (const value of columns.values[slot]?.[rule] ?? []) all.push(value)
      holds &&= off[level] === true || kind.holds(all, bounds[level] as number)
    })
    if (!holds) this.dropValues(slot)
    return holds
  }

  private dropValues(slot: number): void {
    this.values.forEach((all, rule) => {
      all.length -= this.columns.values[slot]?.[rule]?.length ?? 0
    })
  }

  /**
   * Whether no player of the ticket is among the chosen players. Almost all tickets have one player, so these tickets
   * need no list of hashes.
   */
  private isNew(slot: number): boolean {
    const { hashes, columns } = this
    const own = columns.partyHashes[slot]
    if (own === undefined) return !hashes.includes(columns.playerHash[slot] as number) || !this.sharesPlayer(slot)
    for (const hash of own) if (hashes.includes(hash) && this.sharesPlayer(slot)) return false
    return true
  }

  private sharesPlayer(slot: number): boolean {
    const { tickets } = this.columns
    const ids = new Set(tickets[slot]?.players.map((player) => player.playerId))
    return this.slots.some((other) => tickets[other]?.players.some((player) => ids.has(player.playerId)))
  }

  private widen(slot: number, depth: number): boolean {
    const { length } = this.levels.ranges
    for (let rule = 0; rule < length; rule++) {
      const column = this.columns.ranges[rule] as TicketColumns['ranges'][0]
      let low = column.low[slot] as number
      let high = column.high[slot] as number
      if (depth > 0) {
        const before = (depth - 1) * length + rule
        // When one of the two values is absent (NaN), the other value is used.
        if (!(low <= (this.low[before] as number)))
          low = Number.isNaN(this.low[before]) ? low : (this.low[before] as number)
        if (!(high >= (this.high[before] as number)))
          high = Number.isNaN(this.high[before]) ? high : (this.high[before] as number)
      }
      if (high - low > (this.levels.ranges[rule]?.[this.level] as number)) return false
      this.low[depth * length + rule] = low
      this.high[depth * length + rule] = high
    }
    return true
  }

  private overlap(slot: number, depth: number): boolean {
    const { masks } = this.columns
    for (let rule = 0; rule < masks.length; rule++) {
      const { byLevel, need } = masks[rule] as TicketColumns['masks'][0]
      const column = (byLevel[this.level] ?? byLevel[0]) as Uint16Array
      const before = depth > 0 ? (this.masks[(depth - 1) * masks.length + rule] as number) : ALL_REGIONS
      const shared = before & (column[slot] as number)
      const least = need[this.level] as number
      if (least === 1 ? shared === 0 : popcount16(shared) < least) return false
      this.masks[depth * masks.length + rule] = shared
    }
    return true
  }

  private agree(slot: number, depth: number): boolean {
    const { keys } = this.columns
    for (let rule = 0; rule < keys.length; rule++) {
      const own = (keys[rule] as TicketColumns['keys'][0]).keys[slot] as number
      const before = depth > 0 ? (this.keys[(depth - 1) * keys.length + rule] as number) : 0
      if (own !== 0 && before !== 0 && own !== before && !this.levels.keysOff[rule]?.[this.level]) return false
      this.keys[depth * keys.length + rule] = before === 0 ? own : before
    }
    return true
  }
}
