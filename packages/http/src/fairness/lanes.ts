import { Debts, laneIn } from './debts'
import { levelsOf, type Party, STRANGERS, STRANGERS_PART } from './party'

/** Turns that strangers pass while others wait; they have the next one. */
const PASSED_BY_STRANGERS = 1 / STRANGERS_PART - 1
/** Lanes that are passed over at the most, because they owe turns, before one is taken all the same. */
const PASSED_BY_DEBTORS = 64
/** Calls that were taken out of a line are forgotten once they are so many and half of it. */
const FORGOTTEN_FROM = 64

/** The calls of one address of one key, first come, first taken. */
class Line<Call> {
  private calls: Call[] = []
  private next = 0

  get size(): number {
    return this.calls.length - this.next
  }

  get first(): Call | undefined {
    return this.calls[this.next]
  }

  push(call: Call): void {
    this.calls.push(call)
  }

  shift(): Call | undefined {
    const call = this.calls[this.next++]
    if (this.next >= FORGOTTEN_FROM && this.next >= this.calls.length / 2) {
      this.calls = this.calls.slice(this.next)
      this.next = 0
    }
    return call
  }
}

/** Lanes of one level by name, the next in turn first; only such as have calls. `size`: the calls in all of them. */
class Ring<Call> {
  size = 0
  readonly lanes = new Map<string, Ring<Call> | Line<Call>>()

  /** The lane behind the others, as after its turn. */
  putLast(name: string, lane: Ring<Call> | Line<Call>): void {
    this.lanes.delete(name)
    this.lanes.set(name, lane)
  }
}

/**
 * Calls that wait, in lanes: of each account in turn, within an account of each project, within a project of each key, within a key of each
 * address. A lane without calls has no turn, so what one does not use is the others'. A lane that owes turns (`charge`) passes as many, while
 * others wait beside it. Lanes are made by calls that wait and end with them: nothing is kept of anybody else.
 */
export class Lanes<Call> {
  private readonly accounts = new Ring<Call>()
  private readonly debts = new Debts()
  private passed = 0

  get size(): number {
    return this.accounts.size
  }

  /** Lanes that owe turns. */
  get debtors(): number {
    return this.debts.size
  }

  push(party: Party, call: Call): void {
    const names = levelsOf(party)
    let ring = this.accounts
    for (const [level, name] of names.entries()) {
      ring.size++
      const known = ring.lanes.get(name)
      const lane = known ?? (level === names.length - 1 ? new Line<Call>() : new Ring<Call>())
      if (known === undefined) ring.lanes.set(name, lane)
      if (lane instanceof Line) lane.push(call)
      else ring = lane
    }
  }

  /** Lets the party pass so many turns. Nobody owes anything where no call waits. */
  charge(party: Party, turns: number): void {
    if (this.size > 0) this.debts.add(party, turns)
  }

  /** Takes out the call whose turn it is. */
  shift(): Call | undefined {
    if (this.size === 0) return undefined
    this.letStrangersPass()
    const call = this.take(this.accounts, '')
    if (this.size === 0) this.debts.clear()
    return call
  }

  /** The call whose turn it is, but for what its lane owes; left where it is. */
  get first(): Call | undefined {
    let lane: Ring<Call> | Line<Call> | undefined = this.accounts
    while (lane instanceof Ring) [lane] = lane.lanes.values()
    return lane?.first
  }

  /** Returns the first call of this party. */
  firstOf(party: Party): Call | undefined {
    let lane: Ring<Call> | Line<Call> | undefined = this.accounts
    for (const name of levelsOf(party)) lane = lane instanceof Ring ? lane.lanes.get(name) : undefined
    return lane instanceof Line ? lane.first : undefined
  }

  /** How many calls of an account wait. */
  sizeOf(account: string): number {
    return this.accounts.lanes.get(account)?.size ?? 0
  }

  /** How many accounts have calls that wait. */
  get accountCount(): number {
    return this.accounts.lanes.size
  }

  /** How many calls are taken before one of this party that came now, were all lanes as long as its own. */
  ahead(party: Party): number {
    let lane: Ring<Call> | Line<Call> | undefined = this.accounts
    let share = 1
    for (const name of levelsOf(party)) {
      const inside: Ring<Call> | Line<Call> | undefined = lane instanceof Ring ? lane.lanes.get(name) : undefined
      share *= (lane instanceof Ring ? lane.lanes.size : 0) + (inside === undefined ? 1 : 0)
      lane = inside
    }
    const rounds = (lane?.size ?? 0) + 1 + this.debts.of(party)
    const isBeside = this.accountCount > (this.sizeOf(STRANGERS) > 0 ? 1 : 0)
    const part = party.account === STRANGERS && isBeside ? STRANGERS_PART : 1
    return Math.min(this.size, (rounds * share) / part - 1)
  }

  private letStrangersPass(): void {
    const { lanes } = this.accounts
    const [first] = lanes
    if (first?.[0] !== STRANGERS || lanes.size === 1) return
    if (this.passed++ < PASSED_BY_STRANGERS) this.accounts.putLast(...first)
    else this.passed = 0
  }

  /** Takes from the lane whose turn it is; it stands behind the others then, or is gone where it has no more. */
  private take(ring: Ring<Call>, outer: string): Call | undefined {
    const [name, lane] = this.nextOf(ring, outer)
    ring.size--
    const call = lane instanceof Line ? lane.shift() : this.take(lane, laneIn(outer, name))
    if (lane.size > 0) ring.putLast(name, lane)
    else ring.lanes.delete(name)
    return call
  }

  private nextOf(ring: Ring<Call>, outer: string): [string, Ring<Call> | Line<Call>] {
    for (let passed = 0; ; passed++) {
      const [next] = ring.lanes
      if (next === undefined) throw new Error('a ring of lanes that has calls has no lane')
      const mayPass = this.debts.size > 0 && ring.lanes.size > 1 && passed < PASSED_BY_DEBTORS
      if (!mayPass || !this.debts.pay(laneIn(outer, next[0]))) return next
      ring.putLast(...next)
    }
  }
}
