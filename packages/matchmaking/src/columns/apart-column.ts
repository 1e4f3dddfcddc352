import type { RuleLevels } from '../config/match-format'
import { isInForce, namesAny } from '../rules/apart'
import type { Ticket } from '../types'
import { grown, textHash } from './typed'

/** Numbers in `heads` for each slot. */
const HEAD = 4
/** Fewest unused entries for which all entries are moved together. */
const MIN_UNUSED = 1 << 12

/** The columns of the parties that the rule reads. */
interface Parties {
  readonly capacity: number
  readonly now: number
  readonly tickets: readonly (Ticket | undefined)[]
  readonly playerHash: Int32Array
  readonly partyHashes: readonly (readonly number[] | undefined)[]
  samePlayer(a: number, b: number): boolean
}

/** Returns the number in a slot's head that holds the bit of a hash. */
const wordOf = (hash: number): number => 1 + ((hash >> 5) & 1)

/**
 * Column of an `apart` rule: by slot, the players whom the party may not meet, as hashes of their ids. Each hash sets one
 * of 64 bits of the slot, so that most pairs of parties are compared by one bit. Different ids may have equal hashes:
 * the ids themselves decide.
 */
export class ApartColumn {
  /**
   * Four numbers for each slot: the hash of its first player; 64 bits for the named players; and the place in `names` of
   * the number of the slot's names, which follow it (0 for a slot without names).
   */
  private heads = new Int32Array(0)
  private names = new Int32Array(64)
  /** By place in `names`: the time of the meeting; undefined where meetings have no time. */
  private times: Float64Array | undefined
  private used = 1
  private unused = 0
  /** Bounds of all levels in seconds, each once. */
  private readonly bounds: readonly number[]

  constructor(
    readonly levels: RuleLevels,
    private readonly columns: Parties,
  ) {
    const { kind, bounds, off } = levels
    this.bounds = [...new Set(bounds.filter((_, level) => !off[level]))]
    if (kind.bound !== null) this.times = new Float64Array(this.names.length)
  }

  /** Whether parties may meet again after some time. */
  get expires(): boolean {
    return this.times !== undefined
  }

  set(slot: number, players: Ticket['players']): void {
    const { kind, rule } = this.levels
    if (slot * HEAD >= this.heads.length) this.heads = grown(this.heads, this.columns.capacity * HEAD)
    if (this.unused > MIN_UNUSED && this.unused > this.used / 2) this.compact()
    const start = this.used
    this.push(0, 0)
    for (const player of players) {
      kind.eachNamed?.(player, rule, (id, time) => {
        const hash = textHash(id)
        const word = slot * HEAD + wordOf(hash)
        this.heads[word] = (this.heads[word] as number) | (1 << hash)
        this.push(hash, time)
      })
    }
    this.heads[slot * HEAD] = this.columns.playerHash[slot] as number
    const count = this.used - start - 1
    if (count === 0) this.used = start
    else {
      this.heads[slot * HEAD + 3] = start
      this.names[start] = count
    }
  }

  release(slot: number): void {
    const { heads } = this
    const at = slot * HEAD
    const start = heads[at + 3]
    if (!start) return
    this.unused += 1 + (this.names[start] as number)
    heads[at + 1] = 0
    heads[at + 2] = 0
    heads[at + 3] = 0
  }

  clear(): void {
    this.heads.fill(0)
    this.used = 1
    this.unused = 0
  }

  /** Whether the rule keeps two parties apart at a level. */
  parts(a: number, b: number, level: number): boolean {
    return (this.mayName(a, b) && this.named(a, b, level)) || (this.mayName(b, a) && this.named(b, a, level))
  }

  /** Whether two parties of one player each are the same player, or the rule keeps them apart at a level. */
  partsSingles(a: number, b: number, level: number): boolean {
    const { heads } = this
    const own = heads[a * HEAD] as number
    const other = heads[b * HEAD] as number
    return (
      (((heads[a * HEAD + wordOf(other)] as number) & (1 << other)) !== 0 && this.namesHash(a, b, other, level)) ||
      (((heads[b * HEAD + wordOf(own)] as number) & (1 << own)) !== 0 && this.namesHash(b, a, own, level)) ||
      (own === other && this.columns.samePlayer(a, b))
    )
  }

  /** Whether slot `a` names the only player of slot `b`, whose id has the hash. */
  private namesHash(a: number, b: number, hash: number, level: number): boolean {
    const { names } = this
    const start = this.heads[a * HEAD + 3] as number
    const to = start + (names[start] as number)
    for (let at = start + 1; at <= to; at++) if (names[at] === hash) return this.named(a, b, level)
    return false
  }

  /**
   * Returns the first time after `after` (epoch milliseconds) at which some bound of the rule no longer keeps the party
   * apart from a player; infinite where there is none.
   */
  nextExpiry(slot: number, after: number): number {
    const start = this.heads[slot * HEAD + 3]
    let next = Number.POSITIVE_INFINITY
    if (!this.times || !start) return next
    for (let at = start + 1; at <= start + (this.names[start] as number); at++) {
      for (const seconds of this.bounds) {
        const time = (this.times[at] as number) + seconds * 1000
        if (time > after && time < next) next = time
      }
    }
    return next
  }

  /** Whether a bit of slot `a` stands for a player of slot `b`. */
  private mayName(a: number, b: number): boolean {
    const { heads, columns } = this
    const party = columns.partyHashes[b]
    if (party === undefined) {
      const hash = columns.playerHash[b] as number
      return ((heads[a * HEAD + wordOf(hash)] as number) & (1 << hash)) !== 0
    }
    for (const hash of party) if ((heads[a * HEAD + wordOf(hash)] as number) & (1 << hash)) return true
    return false
  }

  private named(a: number, b: number, level: number): boolean {
    const { names, times, columns, levels } = this
    if (levels.off[level]) return false
    const start = this.heads[a * HEAD + 3] as number
    const to = start + (names[start] as number)
    const seconds = levels.bounds[level] as number
    const party = columns.partyHashes[b]
    for (let at = start + 1; at <= to; at++) {
      const hash = names[at] as number
      if (party === undefined ? hash !== columns.playerHash[b] : !party.includes(hash)) continue
      if (times && !isInForce(times[at] as number, seconds, columns.now)) continue
      const [players, others] = [columns.tickets[a]?.players ?? [], columns.tickets[b]?.players ?? []]
      return namesAny(levels.kind, levels.rule, players, others, seconds, columns.now)
    }
    return false
  }

  private push(hash: number, time: number): void {
    if (this.used === this.names.length) {
      this.names = grown(this.names, this.used * 2)
      if (this.times) this.times = grown(this.times, this.used * 2)
    }
    if (this.times) this.times[this.used] = time
    this.names[this.used++] = hash
  }

  /** Copies the names of all slots to new arrays, without the unused entries. */
  private compact(): void {
    const { heads, names, times } = this
    this.names = new Int32Array(names.length)
    if (times) this.times = new Float64Array(names.length)
    let used = 1
    for (let head = 3; head < heads.length; head += HEAD) {
      const start = heads[head] as number
      if (start === 0) continue
      heads[head] = used
      for (let at = start; at <= start + (names[start] as number); at++, used++) {
        this.names[used] = names[at] as number
        if (times && this.times) this.times[used] = times[at] as number
      }
    }
    this.used = used
    this.unused = 0
  }
}
