import { byAge, formatOf, levelAt, type MatchFormat, type RuleLevels, VERSION_FIELD } from '../config/match-format'
import { isInForce } from '../rules/apart'
import type { RuleKind } from '../rules/rule-kind'
import type {
  Explanation,
  MatchmakingConfig,
  MatchRule,
  RuleExplanation,
  SeatRequest,
  Ticket,
  TicketPlayer,
} from '../types'
import { canJoin } from '../verify/joining'
import { versionOf } from '../verify/party'
import { missingPlaces } from './missing-places'
import { unevenSides } from './uneven-sides'

/** The values that the rules read from a party. */
export interface Party {
  /**
   * For each source, the values of the party's players. A source is one field, read in the way of one type of rule. A
   * player without the field adds no value. For an `apart` rule the values are the named players, with the times of the
   * meetings.
   */
  readonly values: readonly (readonly unknown[])[]
  readonly ids: readonly string[]
  readonly version: string | undefined
}

/** One way to read values of a player. Rules of the same type, field and scope share a source. */
interface Source {
  readonly read: (player: TicketPlayer) => readonly unknown[]
}

type Named = readonly [playerId: string, at: number]

/**
 * True when the caller stops waiting for the explanation. The explanation then covers only the tickets compared so far.
 */
type Enough = boolean | undefined

/**
 * Explains why tickets still wait, by comparing them with other waiting tickets. The other tickets may be a sample,
 * chosen independently of their content: the explainer then scales its counts up to all waiting tickets. It reads the
 * values of the other tickets once and keeps them for further explanations.
 */
export class Explainer {
  private readonly sources: Source[] = []
  /** By rule: the index of the rule's source in `sources`. */
  private readonly sourceOf: number[]

  constructor(
    private readonly format: MatchFormat,
    private readonly others: readonly Ticket[],
    /** Number of all waiting tickets, including the explained ones. */
    private readonly waiting: number,
    /** Running matches that have open seats. */
    private readonly requests: readonly SeatRequest[] = [],
    /** By ticket: the values that were already read from the other tickets. */
    private readonly known: WeakMap<Ticket, Party> = new WeakMap(),
  ) {
    const places = new Map<string, number>()
    this.sourceOf = format.rules.map(({ rule, kind, field }) => {
      const name = `${rule.type} ${field} ${'scope' in rule ? rule.scope : ''}`
      const place = places.get(name) ?? this.sources.push(sourceOf(kind, rule)) - 1
      places.set(name, place)
      return place
    })
  }

  /**
   * Returns an explainer for a queue. `waiting` is the number of all waiting tickets. `requests` are the open seats of
   * running matches that a party might take instead of joining a new match.
   */
  static of(
    config: MatchmakingConfig,
    others: readonly Ticket[],
    waiting: number,
    requests: readonly SeatRequest[] = [],
  ): Explainer {
    return new Explainer(formatOf(config), others, waiting, requests)
  }

  /**
   * Explains why a ticket waits, by comparing it with at most `atMost` other tickets. Yields every few microseconds of
   * work. After the caller passes true to `next`, the generator ends soon and returns the result so far; `sampled` is
   * the number of compared tickets.
   */
  *explain(ticket: Ticket, now: number, atMost: number): Generator<undefined, Explanation, Enough> {
    const { format, others, known } = this
    const passing: number[] = new Array(format.rules.length + (format.versioned ? 1 : 0)).fill(0)
    const fitting: Ticket[] = []
    let looked = 0
    const own = yield* this.readParty(ticket)
    const passes: boolean[] = new Array(passing.length)
    comparing: for (let at = 0; own !== undefined && at < others.length && looked < atMost; at++) {
      const other = others[at] as Ticket
      if (other.id === ticket.id) continue
      let party = known.get(other)
      if (party === undefined) {
        party = yield* this.readParty(other)
        if (party === undefined) break
        known.set(other, party)
      }
      const ruling = byAge(ticket, other) < 0 === (format.ageOf === 'oldest') ? ticket : other
      const level = levelAt(format, ruling.enteredAt, now)
      let look = 0
      if (format.versioned) passes[look++] = own.version !== undefined && own.version === party.version
      for (let rule = 0; rule < format.rules.length; rule++) {
        passes[look++] = this.passes(rule, level, own, party, now)
        const enough: Enough = yield
        if (enough) break comparing
      }
      looked++
      let fits = true
      passes.forEach((passed, place) => {
        if (passed) passing[place] = (passing[place] as number) + 1
        else fits = false
      })
      if (fits) fitting.push(other)
    }
    const together = [ticket, ...fitting.sort(byAge)]
    const missing = yield* missingPlaces(format, together)
    const maxSizeDifference = yield* unevenSides(format, together)
    const open = yield* this.matchesToJoin(ticket, now)
    const lack = open ? { missing: [], maxSizeDifference: null } : { missing, maxSizeDifference }
    return this.answer(ticket, now, { looked, passing, fitting: fitting.length, lack, open })
  }

  /** Returns the number of running matches that the ticket could join; undefined when no match has open seats. */
  private *matchesToJoin(ticket: Ticket, now: number): Generator<undefined, number | undefined, Enough> {
    let open = 0
    for (const request of this.requests) {
      if (canJoin(this.format, request, ticket, now)) open++
      const enough: Enough = yield
      if (enough) break
    }
    return this.requests.length > 0 ? open : undefined
  }

  /** Returns the values of a party; undefined when the caller stopped the work before all values were read. */
  private *readParty({ players }: Ticket): Generator<undefined, Party | undefined, Enough> {
    const values: unknown[][] = []
    for (const { read } of this.sources) {
      const own: unknown[] = []
      for (const player of players) own.push(...read(player))
      values.push(own)
      const enough: Enough = yield
      if (enough) return undefined
    }
    return {
      values,
      ids: players.map(({ playerId }) => playerId),
      version: this.format.versioned ? versionOf(this.format, players) : undefined,
    }
  }

  private passes(index: number, level: number, own: Party, other: Party, now: number): boolean {
    const { kind, bounds, off, inTeam } = this.format.rules[index] as RuleLevels
    const source = this.sourceOf[index] as number
    if (off[level] || kind.shape === 'teams') return true
    if (kind.shape === 'apart') {
      const names = ({ values }: Party, { ids }: Party) =>
        (values[source] as readonly Named[]).some(
          ([id, at]) => isInForce(at, bounds[level] as number, now) && ids.includes(id),
        )
      if (kind.inParty && (names(own, own) || names(other, other))) return false
      return inTeam || !(names(own, other) || names(other, own))
    }
    const values = (own.values[source] as readonly unknown[]).concat(other.values[source])
    return kind.holds(values, bounds[level] as number)
  }

  private answer(
    ticket: Ticket,
    now: number,
    seen: {
      looked: number
      passing: readonly number[]
      fitting: number
      lack: Pick<Explanation, 'missing' | 'maxSizeDifference'>
      open: number | undefined
    },
  ): Explanation {
    const { format } = this
    const others = Math.max(this.waiting - 1, seen.looked)
    const ofAll = (count: number) => (seen.looked === 0 ? 0 : Math.round((count * others) / seen.looked))
    const fields: Pick<RuleExplanation, 'type' | 'field'>[] = format.rules.map(({ rule, field }) => ({
      type: rule.type,
      field,
    }))
    if (format.versioned) fields.unshift({ type: 'version', field: VERSION_FIELD })
    const rules = fields.map(({ type, field }, index): RuleExplanation => {
      const passing = ofAll(seen.passing[index] as number)
      return { type, field, passing, failing: seen.looked === 0 ? 0 : others - passing }
    })
    return {
      ticketId: ticket.id,
      waitedSeconds: Math.max(0, now - ticket.enteredAt) / 1000,
      rules,
      fittingAll: ofAll(seen.fitting),
      ...seen.lack,
      ...(seen.open === undefined ? {} : { matchesToJoin: seen.open }),
      sampled: seen.looked,
      nextRelaxationSeconds: nextRelaxation(format, ticket, now),
    }
  }
}

function sourceOf(kind: RuleKind, rule: MatchRule): Source {
  if (kind.shape !== 'apart') {
    return {
      read: ({ state }) => {
        const value = kind.read(state, rule)
        return value === undefined ? [] : [value]
      },
    }
  }
  return {
    read: (player) => {
      const named: Named[] = []
      kind.eachNamed?.(player, rule, (id, at) => named.push([id, at]))
      return named
    },
  }
}

function nextRelaxation(format: MatchFormat, ticket: Ticket, now: number): number | null {
  const due = format.thresholds
    .concat(format.short ? [format.partialAfterMs] : [])
    .map((wait) => ticket.enteredAt + wait - now)
  const next = Math.min(...due.filter((wait) => wait > 0))
  return Number.isFinite(next) ? next / 1000 : null
}
