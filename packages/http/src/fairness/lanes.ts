import { Debts, laneIn } from './debts'
import { levelsOf, type Party, STRANGERS, STRANGERS_PART } from './party'

/**
 * Number of consecutive turns that strangers (callers without a known credential) must skip while accounts wait.
 * Strangers get the turn after these.
 */
const PASSED_BY_STRANGERS = 1 / STRANGERS_PART - 1
/**
 * Maximum number of lanes in debt that one turn skips. After these, the next lane gets the turn even if it has a debt.
 */
const PASSED_BY_DEBTORS = 64
/** Number of taken calls from which the array drops them, if they also make up at least half of the array. */
const FORGOTTEN_FROM = 64

/** Waiting calls of one address with one key, in order of arrival. */
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

/**
 * Lanes of one level (accounts, projects, keys or addresses), by name. The first lane has the next turn. Only lanes
 * with waiting calls are here. `size` is the number of calls in all of them.
 */
class Ring<Call> {
  size = 0
  readonly lanes = new Map<string, Ring<Call> | Line<Call>>()

  /** Moves a lane to the end, in the same way as after the lane's turn. */
  putLast(name: string, lane: Ring<Call> | Line<Call>): void {
    this.lanes.delete(name)
    this.lanes.set(name, lane)
  }
}

/**
 * Waiting calls, in nested lanes (queues). Accounts take turns. Within an account its projects take turns, within a
 * project its keys, and within a key its addresses. A lane without calls has no turn, so the other lanes get its share.
 * A lane that owes turns (`charge`) skips as many turns while other lanes wait. A lane exists only while calls wait in
 * it, so nothing is stored about other callers.
 */
export class Lanes<Call> {
  private readonly accounts = new Ring<Call>()
  private readonly debts = new Debts()
  private passed = 0

  get size(): number {
    return this.accounts.size
  }

  /** Number of lanes that owe turns. */
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

  /** Adds `turns` to the debt of a caller. Does nothing while no call waits. */
  charge(party: Party, turns: number): void {
    if (this.size > 0) this.debts.add(party, turns)
  }

  /** Removes and returns the call whose turn it is. */
  shift(): Call | undefined {
    if (this.size === 0) return undefined
    this.letStrangersPass()
    const call = this.take(this.accounts, '')
    if (this.size === 0) this.debts.clear()
    return call
  }

  /** First call in the order of the lanes, without regard to debts. The call stays in its lane. */
  get first(): Call | undefined {
    let lane: Ring<Call> | Line<Call> | undefined = this.accounts
    while (lane instanceof Ring) [lane] = lane.lanes.values()
    return lane?.first
  }

  /** Returns the first waiting call of a caller. */
  firstOf(party: Party): Call | undefined {
    let lane: Ring<Call> | Line<Call> | undefined = this.accounts
    for (const name of levelsOf(party)) lane = lane instanceof Ring ? lane.lanes.get(name) : undefined
    return lane instanceof Line ? lane.first : undefined
  }

  /** Returns the number of waiting calls of an account. */
  sizeOf(account: string): number {
    return this.accounts.lanes.get(account)?.size ?? 0
  }

  /** Number of accounts with waiting calls. */
  get accountCount(): number {
    return this.accounts.lanes.size
  }

  /**
   * Returns the number of calls that would be taken before a new call of this caller, if all lanes were as long as the
   * caller's own lane.
   */
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

  /** Takes a call from the lane whose turn it is. The lane then moves to the end, or is removed if it is empty. */
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
