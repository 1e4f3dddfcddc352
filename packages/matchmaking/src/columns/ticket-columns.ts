import type { MatchFormat, RuleLevels } from '../config/match-format'
import type { Ticket } from '../types'
import { partyCheck, versionOf } from '../verify/party'
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
/** Value in `alive` of players in a match that asks for more players. */
export const PLAYING = 3

/**
 * Waiting tickets in columns, one slot each. The fields that rules read are extracted here, once, on entering and on each change of state. A
 * freed slot is reused only after `release`, when no index refers to it any more.
 */
export class TicketColumns {
  capacity = FIRST_CAPACITY
  /** Slots ever used; every slot in use is below. */
  high = 0
  /** Tickets waiting, and those of them that can match at all. */
  size = 0
  readonly tickets: (Ticket | undefined)[] = []
  readonly ids: string[] = []
  enteredAt = new Float64Array(FIRST_CAPACITY)
  players = new Uint16Array(FIRST_CAPACITY)
  /** How many of the format's thresholds the ticket has waited for, as of the last tick. */
  level = new Uint16Array(FIRST_CAPACITY)
  /** Slots of those who play. */
  playing = 0
  /** 1 while the ticket waits and can match. */
  alive = new Uint8Array(FIRST_CAPACITY)
  /** Same number: same version and same value for every `key` rule (or none in both). */
  bucket = new Int32Array(FIRST_CAPACITY)
  /** Same number: same version. */
  group = new Int32Array(FIRST_CAPACITY)
  /** 1 where some `key` rule's field is missing. */
  wild = new Uint8Array(FIRST_CAPACITY)
  /** Bit r: the party fails gate rule r by itself; the bits after those: it differs within itself under key rule r. */
  gates = new Int32Array(FIRST_CAPACITY)
  /** Hash of the first player's id. */
  playerHash = new Int32Array(FIRST_CAPACITY)
  /** Same number: same party size and same roles taken, whatever the preference. */
  kind = new Int32Array(FIRST_CAPACITY)
  readonly ranges: RangeColumn[]
  readonly masks: MaskColumn[]
  readonly keys: KeyColumn[]
  readonly sums: SumColumn[]
  readonly gateRules: RuleLevels[]
  readonly valueRules: RuleLevels[]
  readonly levels: LevelBounds
  /** By slot, where there are `values` rules: the values present, by rule. */
  readonly values: (readonly (readonly unknown[])[] | undefined)[] = []
  /** Low ends of the first `range` rule, or zeros: the order of the pool. */
  order: Float64Array
  readonly buckets = new Interner()
  readonly groups = new Interner()
  readonly kinds = new Interner()
  /** By kind: how many players, and the roles that each of them takes. */
  readonly kindSizes: number[] = [1]
  readonly kindRoles: (readonly (readonly string[])[])[] = []
  readonly roles: readonly string[]
  private readonly keyTexts = new Interner()
  /** The slot of every waiting ticket. */
  readonly slots = new Map<string, number>()
  /** Slots that may be used again. */
  readonly free = new IntList()
  /** Hashes of all players' ids by slot, where parties may be larger than one. */
  readonly partyHashes: (readonly number[] | undefined)[] = []
  /** Waiting tickets that lack a `key` rule's field, and those that lack the field that orders the pool. */
  wildTickets = 0
  unordered = 0
  private lastEnteredAt = Number.NEGATIVE_INFINITY
  private lastId = ''
  /** While true, slots in rising order are tickets in order of age. */
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
    this.levels = levelBounds(format, of('range'), this.gateRules, of('key'))
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

  /** The slot of a waiting ticket. */
  slotOf(ticketId: string): number | undefined {
    return this.slots.get(ticketId)
  }

  /** Takes a ticket in; the id must not be waiting. Its `level` is left at 0. */
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
   * Reads those who play a version together in a match into a slot, so that rules look at them as at a party. They wait for
   * nothing: no index and no count of the waiting has them. `region` is the bit of where they play.
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
    // Pings count where the match is played, and nowhere else.
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
    if (this.valueRules.length > 0) {
      this.values[slot] = this.valueRules.map(({ kind, rule }) =>
        players.map(({ state }) => kind.read(state, rule)).filter((value) => value !== undefined),
      )
    }
  }

  /** Counts a slot in, or out, of those that lack a field. */
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
      // A party that differs within itself entered because the rule turns off later; until then it meets nobody.
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

  private extractKind(slot: number, players: Ticket['players']): void {
    const text = this.format.composed
      ? JSON.stringify(players.map(({ state }) => takenRoles(state, this.roles)).sort())
      : String(players.length)
    const kind = this.kinds.of(text)
    this.kind[slot] = kind
    this.kindSizes[kind] = players.length
    if (this.format.composed) this.kindRoles[kind] ??= JSON.parse(text) as string[][]
  }

  /** The ticket waits no more. Its slot stays readable until `release`. */
  remove(slot: number): void {
    this.slots.delete(this.ids[slot] as string)
    if (this.alive[slot] === 1) this.count(slot, -1)
    this.alive[slot] = 0
    this.tickets[slot] = undefined
    this.size--
  }

  /** Starts over once nothing waits and no index refers to any slot. */
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
  }

  /** Gives slots back for reuse, once no index refers to them. */
  release(slot: number): void {
    this.ids[slot] = ''
    if (this.valueRules.length > 0) this.values[slot] = undefined
    if (this.format.maxPartySize > 1) this.partyHashes[slot] = undefined
    this.free.push(slot)
  }

  /** Longest waiting first, by slot. */
  older(a: number, b: number): boolean {
    const difference = (this.enteredAt[a] as number) - (this.enteredAt[b] as number)
    return difference < 0 || (difference === 0 && (this.ids[a] as string) < (this.ids[b] as string))
  }

  /** Whether the `values` rules hold for some tickets together. A refused set stays refused when tickets are added. */
  valuesHold(slots: readonly number[], level: number): boolean {
    return this.valueRules.every(({ kind, bounds, off }, rule) => {
      if (off[level]) return true
      const all = slots.flatMap((slot) => this.values[slot]?.[rule] ?? [])
      return kind.holds(all, bounds[level] as number)
    })
  }

  /** By value, absent ones last, so that those present stay one sorted run; then by age. */
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
