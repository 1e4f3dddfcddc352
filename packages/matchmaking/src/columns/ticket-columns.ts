import type { MatchFormat, RuleLevels } from '../config/match-format'
import { namesAny } from '../rules/apart'
import type { Ticket } from '../types'
import { partyCheck, versionOf } from '../verify/party'
import { ApartColumn } from './apart-column'
import {
  extractMask,
  extractRange,
  extractSum,
  type KeyColumn,
  type MaskColumn,
  type RangeColumn,
  type SumColumn,
  takenRoles,
} from './extraction'
import { type LevelBounds, levelBounds } from './level-bounds'
import { grown, Interner, IntList, textHash } from './typed'

const FIRST_CAPACITY = 16
/**
 * Value in the column `alive` of a slot that holds the players of a running match with open seats, not a waiting
 * ticket.
 */
export const PLAYING = 3

/**
 * The waiting tickets, stored as columns: each column is an array with one property of all tickets, and the slot of a
 * ticket is its index in these arrays. The values that rules read are extracted when a ticket enters or its state
 * changes. A freed slot is reused only after `release`, when no index refers to it any more.
 */
export class TicketColumns {
  capacity = FIRST_CAPACITY
  /** Number of slots ever used. Every slot in use is a number below `high`. */
  high = 0
  /** Number of waiting tickets, including those that can never match. */
  size = 0
  readonly tickets: (Ticket | undefined)[] = []
  readonly ids: string[] = []
  enteredAt = new Float64Array(FIRST_CAPACITY)
  players = new Uint16Array(FIRST_CAPACITY)
  /** By slot: the number of the format's thresholds that the ticket's waiting time had reached at the last tick. */
  level = new Uint16Array(FIRST_CAPACITY)
  /** Number of slots that hold the players of running matches (`PLAYING`). */
  playing = 0
  /**
   * By slot: 1 while the ticket waits and can match; `PLAYING` for a running match; 2 while `removeAll` is removing the
   * ticket; otherwise 0.
   */
  alive = new Uint8Array(FIRST_CAPACITY)
  /**
   * By slot: the number of the bucket. Slots of one bucket have the same version and, for every `key` rule, the same
   * value (or no value).
   */
  bucket = new Int32Array(FIRST_CAPACITY)
  /** By slot: the number of the group. Slots of one group have the same version. */
  group = new Int32Array(FIRST_CAPACITY)
  /** By slot: 1 where the party lacks the field of at least one `key` rule, otherwise 0. */
  wild = new Uint8Array(FIRST_CAPACITY)
  /**
   * By slot: the rules that the party breaks by itself, as bits. First there is one bit for each `gate` rule, then one
   * bit for each `key` rule whose values differ within the party, then one bit for each `apart` rule.
   */
  gates = new Int32Array(FIRST_CAPACITY)
  /** By slot: a hash of the id of the party's first player. */
  playerHash = new Int32Array(FIRST_CAPACITY)
  /**
   * By slot: the number of the kind. Parties of one kind have the same size and accept the same roles, in any order of
   * preference.
   */
  kind = new Int32Array(FIRST_CAPACITY)
  readonly ranges: RangeColumn[]
  readonly masks: MaskColumn[]
  readonly keys: KeyColumn[]
  readonly sums: SumColumn[]
  readonly gateRules: RuleLevels[]
  readonly valueRules: RuleLevels[]
  /** All `apart` rules; then those on whole matches, and those on teams. */
  readonly allApart: readonly ApartColumn[]
  readonly apart: readonly ApartColumn[]
  readonly teamApart: readonly ApartColumn[]
  /** Time of the current tick in epoch milliseconds, at which the `apart` rules apply. */
  now = Number.NEGATIVE_INFINITY
  readonly levels: LevelBounds
  /**
   * First index: the slot. Second index: the number of the `values` rule. The entries are the values of the party's
   * players. Empty where the queue has no `values` rules.
   */
  readonly values: (readonly (readonly unknown[])[] | undefined)[] = []
  /**
   * By slot: the lower value of the first `range` rule, by which the pool is sorted; zeros where the queue has no
   * `range` rule.
   */
  order: Float64Array
  readonly buckets = new Interner()
  readonly groups = new Interner()
  readonly kinds = new Interner()
  /** By kind: the number of players in a party of this kind, and the roles that each player accepts. */
  readonly kindSizes: number[] = [1]
  readonly kindRoles: (readonly (readonly string[])[])[] = []
  readonly roles: readonly string[]
  private readonly keyTexts = new Interner()
  /** Slot of every waiting ticket, by ticket id. */
  readonly slots = new Map<string, number>()
  /** Released slots, which new tickets may use. */
  readonly free = new IntList()
  /**
   * By slot: the hashes of the ids of all players. Filled where parties may have more than one player, and for running
   * matches.
   */
  readonly partyHashes: (readonly number[] | undefined)[] = []
  /**
   * Number of waiting tickets that lack the field of at least one `key` rule, and number of waiting tickets that lack
   * the field by which the pool is sorted.
   */
  wildTickets = 0
  unordered = 0
  private lastEnteredAt = Number.NEGATIVE_INFINITY
  private lastId = ''
  /** Whether the order of the slots is also the order of age (equal times by ticket id). */
  slotsByAge = true

  constructor(readonly format: MatchFormat) {
    this.roles = [...new Set(format.teams.flatMap((team) => [...(team.roles?.keys() ?? [])]))].sort()
    const of = (shape: string) => format.rules.filter((rule) => rule.kind.shape === shape)
    this.ranges = of('range').map((rule) => ({ levels: rule, low: this.floats(), high: this.floats() }))
    this.masks = [...of('mask'), ...of('ceiling')].map((rule) => ({
      levels: rule,
      need: rule.bounds.map((bound, level) => (rule.off[level] ? 0 : rule.kind.shape === 'mask' ? bound : 1)),
      byLevel: (rule.kind.shape === 'mask' ? [0] : rule.bounds).map(() => new Uint16Array(this.capacity)),
    }))
    this.keys = of('key').map((rule) => ({ levels: rule, keys: new Int32Array(this.capacity) }))
    this.gateRules = of('gate')
    this.valueRules = of('values')
    this.allApart = of('apart').map((rule) => new ApartColumn(rule, this))
    this.apart = this.allApart.filter(({ levels }) => !levels.inTeam)
    this.teamApart = this.allApart.filter(({ levels }) => levels.inTeam)
    this.levels = levelBounds(format, of('range'), this.gateRules, of('key'), of('apart'))
    const balance = format.rules.find((rule) => rule.kind.shape === 'range')
    this.sums = [...of('teams'), ...(balance ? [balance] : [])].map((rule) => ({
      levels: rule,
      sum: this.floats(),
      count: new Uint16Array(this.capacity),
    }))
    this.order = this.ranges[0]?.low ?? this.floats()
  }

  private floats(): Float64Array {
    return new Float64Array(this.capacity)
  }

  /** Returns the slot of a waiting ticket; undefined when no such ticket waits. */
  slotOf(ticketId: string): number | undefined {
    return this.slots.get(ticketId)
  }

  /** Adds a ticket whose id is not waiting yet, at level 0, and returns its slot. */
  add(ticket: Ticket): number {
    const slot = this.free.pop() ?? this.high++
    if (slot >= this.capacity) this.grow()
    if (slot !== this.high - 1 || !this.isYoungest(ticket)) this.slotsByAge = false
    this.lastEnteredAt = ticket.enteredAt
    this.lastId = ticket.id
    this.tickets[slot] = ticket
    this.ids[slot] = ticket.id
    this.enteredAt[slot] = ticket.enteredAt
    this.players[slot] = ticket.players.length
    this.level[slot] = 0
    this.slots.set(ticket.id, slot)
    this.size++
    this.alive[slot] = 0
    if (partyCheck(this.format, ticket.players).ok) {
      this.alive[slot] = 1
      this.extract(slot, ticket.players, this.format.versioned ? versionOf(this.format, ticket.players) : '')
      if (this.format.maxPartySize > 1) this.hashPlayers(slot, ticket.players)
      if (this.format.composed || this.format.maxPartySize > 1) this.extractKind(slot, ticket.players)
      this.count(slot, 1)
    }
    return slot
  }

  /**
   * Adds the players of a running match as if they were one party, so that rules can compare them with waiting parties.
   * The slot is not added to the index of the pool, and counts of waiting tickets do not include it. `region` is the
   * bit of the match's region. Returns the slot.
   */
  addPlaying(match: Ticket, version: string | undefined, region: number): number {
    const slot = this.free.pop() ?? this.high++
    if (slot >= this.capacity) this.grow()
    this.tickets[slot] = match
    this.ids[slot] = match.id
    this.enteredAt[slot] = match.enteredAt
    this.players[slot] = match.players.length
    this.level[slot] = 0
    this.alive[slot] = PLAYING
    this.extract(slot, match.players, version)
    // The region of a running match is fixed, so only the players' pings to that region count.
    for (const { levels, byLevel } of this.masks) {
      if (levels.kind.shape === 'ceiling') for (const mask of byLevel) mask[slot] = (mask[slot] as number) & region
    }
    this.hashPlayers(slot, match.players)
    this.playing++
    return slot
  }

  removePlaying(slot: number): void {
    this.alive[slot] = 0
    this.tickets[slot] = undefined
    this.partyHashes[slot] = undefined
    this.playing--
    this.release(slot)
  }

  private isYoungest({ enteredAt, id }: Ticket): boolean {
    return enteredAt > this.lastEnteredAt || (enteredAt === this.lastEnteredAt && id > this.lastId)
  }

  private hashPlayers(slot: number, players: Ticket['players']): void {
    this.partyHashes[slot] = players.map(({ playerId }) => textHash(playerId))
  }

  private extract(slot: number, players: Ticket['players'], version: string | undefined): void {
    this.playerHash[slot] = textHash(players[0]?.playerId ?? '')
    let gates = 0
    this.gateRules.forEach(({ kind, rule, bounds }, index) => {
      const values = players.map(({ state }) => kind.read(state, rule)).filter((value) => value !== undefined)
      if (!kind.holds(values, bounds[0] as number)) gates |= 1 << index
    })
    this.gates[slot] = gates
    for (const column of this.ranges) extractRange(column, slot, players)
    for (const column of this.masks) extractMask(column, slot, players)
    for (const column of this.sums) extractSum(column, slot, players)
    this.extractKeys(slot, players, (this.format.versioned && version) || '')
    if (this.allApart.length > 0) this.extractApart(slot, players)
    if (this.valueRules.length > 0) {
      this.values[slot] = this.valueRules.map(({ kind, rule }) =>
        players.map(({ state }) => kind.read(state, rule)).filter((value) => value !== undefined),
      )
    }
  }

  /** Adds `by` to the counts of tickets that lack a field, as far as the slot lacks these fields. */
  count(slot: number, by: number): void {
    this.wildTickets += by * (this.wild[slot] as number)
    if (Number.isNaN(this.order[slot])) this.unordered += by
  }

  private extractKeys(slot: number, players: Ticket['players'], version: string): void {
    let bucket = version
    let wild = 0
    let bit = 1 << this.gateRules.length
    for (const { levels, keys } of this.keys) {
      const values = players.map(({ state }) => levels.kind.read(state, levels.rule) as string | undefined)
      const value = values.find((key) => key !== undefined)
      // The values of this party differ. The party may wait because a later step turns the rule off; until then it fits
      // no match.
      if (values.some((key) => key !== undefined && key !== value))
        this.gates[slot] = (this.gates[slot] as number) | bit
      bit <<= 1
      const key = value === undefined ? 0 : this.keyTexts.of(value)
      keys[slot] = key
      if (key === 0) wild = 1
      bucket += `\n${key}`
    }
    this.wild[slot] = wild
    this.group[slot] = this.groups.of(version)
    this.bucket[slot] = this.keys.length === 0 ? (this.group[slot] as number) : this.buckets.of(bucket)
  }

  private extractApart(slot: number, players: Ticket['players']): void {
    let bit = 1 << (this.gateRules.length + this.keys.length)
    for (const column of this.allApart) {
      const { kind, rule, inTeam } = column.levels
      column.set(slot, players)
      // The players of a running match sit in several teams, so a rule on teams is checked for each team.
      const together = kind.inParty && players.length > 1 && !(inTeam && this.alive[slot] === PLAYING)
      if (together && namesAny(kind, rule, players, players, 0, this.now)) {
        this.gates[slot] = (this.gates[slot] as number) | bit
      }
      bit <<= 1
    }
  }

  private extractKind(slot: number, players: Ticket['players']): void {
    const text = this.format.composed
      ? JSON.stringify(players.map(({ state }) => takenRoles(state, this.roles)).sort())
      : String(players.length)
    const kind = this.kinds.of(text)
    this.kind[slot] = kind
    this.kindSizes[kind] = players.length
    if (this.format.composed) this.kindRoles[kind] ??= JSON.parse(text) as string[][]
  }

  /** Removes a waiting ticket. The columns of its slot stay readable until `release`. */
  remove(slot: number): void {
    this.slots.delete(this.ids[slot] as string)
    if (this.alive[slot] === 1) this.count(slot, -1)
    this.alive[slot] = 0
    this.tickets[slot] = undefined
    this.size--
  }

  /** Empties the columns. No ticket may wait, and no index may refer to a slot. */
  reset(): void {
    this.high = 0
    this.free.clear()
    this.ids.length = 0
    this.tickets.length = 0
    this.values.length = 0
    this.partyHashes.length = 0
    this.slotsByAge = true
    this.lastEnteredAt = Number.NEGATIVE_INFINITY
    this.lastId = ''
    this.groups.clear()
    this.buckets.clear()
    this.keyTexts.clear()
    for (const column of this.allApart) column.clear()
  }

  /** Makes a slot available for reuse. No index may refer to the slot any more. */
  release(slot: number): void {
    this.ids[slot] = ''
    if (this.valueRules.length > 0) this.values[slot] = undefined
    if (this.format.maxPartySize > 1) this.partyHashes[slot] = undefined
    for (let rule = 0; rule < this.allApart.length; rule++) this.allApart[rule]?.release(slot)
    this.free.push(slot)
  }

  /**
   * Whether the ticket in slot `a` has waited longer than the ticket in slot `b`; equal times are ordered by ticket id.
   */
  older(a: number, b: number): boolean {
    const difference = (this.enteredAt[a] as number) - (this.enteredAt[b] as number)
    return difference < 0 || (difference === 0 && (this.ids[a] as string) < (this.ids[b] as string))
  }

  /**
   * Whether the `values` rules hold at `level` for all players of these slots together. A set of tickets that breaks a
   * rule still breaks the rule when more tickets are added.
   */
  valuesHold(slots: readonly number[], level: number): boolean {
    return this.valueRules.every(({ kind, bounds, off }, rule) => {
      if (off[level]) return true
      const all = slots.flatMap((slot) => this.values[slot]?.[rule] ?? [])
      return kind.holds(all, bounds[level] as number)
    })
  }

  samePlayer(a: number, b: number): boolean {
    return this.tickets[a]?.players[0]?.playerId === this.tickets[b]?.players[0]?.playerId
  }

  /** Whether two slots of one player each are the same player, or an `apart` rule on matches parts them at `level`. */
  partsSingles(a: number, b: number, level: number): boolean {
    const { apart } = this
    for (let rule = 0; rule < apart.length; rule++) if (apart[rule]?.partsSingles(a, b, level)) return true
    return false
  }

  /** Whether an `apart` rule on matches keeps two slots apart at `level`. */
  parts(a: number, b: number, level: number): boolean {
    for (let rule = 0; rule < this.apart.length; rule++) if (this.apart[rule]?.parts(a, b, level)) return true
    return false
  }

  /**
   * Returns the first time after `after` (epoch milliseconds) at which an `apart` rule no longer keeps a player of the
   * slot apart from another player; infinite where there is none.
   */
  nextExpiry(slot: number, after: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const column of this.apart) next = Math.min(next, column.nextExpiry(slot, after))
    return next
  }

  /**
   * Whether slot `a` comes before slot `b` in the order of the pool: by value, then by age. Slots without a value come
   * last, so that the slots with a value form one sorted run.
   */
  before(a: number, b: number): boolean {
    const va = this.order[a] as number
    const vb = this.order[b] as number
    if (va < vb) return true
    if (va > vb) return false
    return Number.isNaN(va) === Number.isNaN(vb) ? this.older(a, b) : Number.isNaN(vb)
  }

  private grow(): void {
    this.capacity *= 2
    const to = this.capacity
    this.enteredAt = grown(this.enteredAt, to)
    this.players = grown(this.players, to)
    this.level = grown(this.level, to)
    this.alive = grown(this.alive, to)
    this.bucket = grown(this.bucket, to)
    this.group = grown(this.group, to)
    this.wild = grown(this.wild, to)
    this.gates = grown(this.gates, to)
    this.playerHash = grown(this.playerHash, to)
    this.kind = grown(this.kind, to)
    for (const column of this.ranges) {
      column.low = grown(column.low, to)
      column.high = grown(column.high, to)
    }
    for (const column of this.masks) column.byLevel = column.byLevel.map((mask) => grown(mask, to))
    for (const column of this.keys) column.keys = grown(column.keys, to)
    for (const column of this.sums) {
      column.sum = grown(column.sum, to)
      column.count = grown(column.count, to)
    }
    this.order = this.ranges[0]?.low ?? grown(this.order, to)
  }
}
