import type { TicketColumns } from '../columns/ticket-columns'
import { grown } from '../columns/typed'
import { ALL_REGIONS, popcount16 } from '../rules/region-mask'
import type { Fit } from '../seating/fit'

/**
 * The tickets chosen so far for one match, with what they leave room for. Tickets go in and come out like a stack; `push`
 * refuses one with which the match could not become valid at the level in force. Rules on teams wait for the seating.
 */
export class Selection {
  readonly slots: number[] = []
  /** Seating state, by depth. */
  private readonly states: number[] = [0]
  private readonly ranges: readonly (readonly number[])[]
  private readonly gateBits: readonly number[]
  private readonly keysOff: readonly (readonly boolean[])[]
  private low: Float64Array
  private high: Float64Array
  private masks: Uint16Array
  private keys: Int32Array
  private readonly hashes: number[] = []
  private level = 0

  constructor(
    private readonly columns: TicketColumns,
    /** Undefined where the caller itself knows who can sit together. */
    private readonly fit?: Fit,
  ) {
    this.ranges = columns.levels.ranges
    this.gateBits = columns.levels.gateBits
    this.keysOff = columns.levels.keysOff
    const depth = 16
    this.low = new Float64Array(depth * this.ranges.length)
    this.high = new Float64Array(depth * this.ranges.length)
    this.masks = new Uint16Array(depth * columns.masks.length)
    this.keys = new Int32Array(depth * this.keysOff.length)
  }

  /** How far apart tickets in order may be at a level. */
  reachAt(level: number): number {
    return this.ranges[0]?.[level] ?? Number.POSITIVE_INFINITY
  }

  /** Empties the selection and sets the level whose bounds count. */
  start(level: number): void {
    this.level = level
    this.slots.length = 0
    this.states.length = 1
    this.hashes.length = 0
    this.fit?.trim()
  }

  get players(): number {
    return this.hashes.length
  }

  get state(): number {
    return this.states[this.states.length - 1] as number
  }

  /** The spread of the first range so far. */
  get spread(): number {
    if (this.ranges.length === 0 || this.slots.length === 0) return 0
    const at = (this.slots.length - 1) * this.ranges.length
    const spread = (this.high[at] as number) - (this.low[at] as number)
    return Number.isNaN(spread) ? 0 : spread
  }

  push(slot: number): boolean {
    const { columns, level } = this
    if ((columns.gates[slot] as number) & (this.gateBits[level] as number)) return false
    // What most candidates fail on, and one look-up where it is known.
    const state = this.fit ? this.fit.next(this.state, columns.kind[slot] as number) : 0
    if (state < 0) return false
    const depth = this.slots.length
    this.makeRoom(depth + 1)
    if (!this.widen(slot, depth) || !this.overlap(slot, depth) || !this.agree(slot, depth)) return false
    if (!this.isNew(slot)) return false
    if (columns.valueRules.length > 0 && !this.valuesHold(slot)) return false
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
    this.hashes.length -= this.columns.players[slot] as number
  }

  private makeRoom(depth: number): void {
    const { length } = this.ranges
    if (depth * length >= this.low.length && length > 0) {
      this.low = grown(this.low, this.low.length * 2)
      this.high = grown(this.high, this.high.length * 2)
    }
    const { masks } = this.columns
    if (depth * masks.length >= this.masks.length && masks.length > 0)
      this.masks = grown(this.masks, this.masks.length * 2)
    if (depth * this.keysOff.length >= this.keys.length && this.keysOff.length > 0) {
      this.keys = grown(this.keys, this.keys.length * 2)
    }
  }

  private isNew(slot: number): boolean {
    const { columns, hashes } = this
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
    const { length } = this.ranges
    for (let rule = 0; rule < length; rule++) {
      const column = this.columns.ranges[rule] as TicketColumns['ranges'][0]
      let low = column.low[slot] as number
      let high = column.high[slot] as number
      if (depth > 0) {
        const before = (depth - 1) * length + rule
        // An absent value (NaN) gives way to the other side.
        if (!(low <= (this.low[before] as number)))
          low = Number.isNaN(this.low[before]) ? low : (this.low[before] as number)
        if (!(high >= (this.high[before] as number)))
          high = Number.isNaN(this.high[before]) ? high : (this.high[before] as number)
      }
      if (high - low > (this.ranges[rule]?.[this.level] as number)) return false
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
      if (own !== 0 && before !== 0 && own !== before && !this.keysOff[rule]?.[this.level]) return false
      this.keys[depth * keys.length + rule] = before === 0 ? own : before
    }
    return true
  }

  /** What `values` rules refuse stays refused whatever is added, so half a match can be judged. */
  private valuesHold(slot: number): boolean {
    const { columns } = this
    return columns.valueRules.every(({ kind, bounds, off }, rule) => {
      if (off[this.level]) return true
      const all = [...this.slots, slot].flatMap((other) => columns.values[other]?.[rule] ?? [])
      return kind.holds(all, bounds[this.level] as number)
    })
  }
}
