import { type Party, STRANGERS, STRANGERS_PART } from './party'

/** So many turns of theirs strangers pass while others wait, and have the next. */
const PASSED_BY_STRANGERS = 1 / STRANGERS_PART - 1
/** Calls that were taken out of a line are forgotten once they are so many and half of it. */
const FORGOTTEN_FROM = 64

/** The calls of one address of one key, first come, first taken. */
class Line<Call> {
  private calls: Call[] = []
  private next = 0

  get length(): number {
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

/** Lanes by name, the next in turn first; only such as have calls. */
type Ring<Lane> = Map<string, Lane>
type Keys<Call> = Ring<Ring<Line<Call>>>

/**
 * Calls that wait, in lanes: of each group in turn, within a group of each key in turn, within a key of each address in turn. A lane
 * without calls has no turn, so what one does not use is the others'. Lanes are made by calls that wait and end with them: nothing
 * is kept of anybody else.
 */
export class Lanes<Call> {
  size = 0
  private readonly groups: Ring<Keys<Call>> = new Map()
  private readonly sizes = new Map<string, number>()
  private passed = 0

  push({ group, key, address }: Party, call: Call): void {
    this.size++
    this.sizes.set(group, this.sizeOf(group) + 1)
    const keys = made(this.groups, group, () => new Map<string, Ring<Line<Call>>>())
    const addresses = made(keys, key, () => new Map<string, Line<Call>>())
    made(addresses, address, () => new Line<Call>()).push(call)
  }

  /** Takes out the call whose turn it is. */
  shift(): Call | undefined {
    this.letStrangersPass()
    const [group] = this.groups
    if (group === undefined) return undefined
    this.size--
    const left = this.sizeOf(group[0]) - 1
    if (left === 0) this.sizes.delete(group[0])
    else this.sizes.set(group[0], left)
    return turn(
      this.groups,
      (keys) => turn(keys, (addresses) => turn(addresses, (line) => line.shift(), isEmptyLine), isEmpty),
      isEmpty,
    )
  }

  /** The call whose turn it is, left where it is. */
  get first(): Call | undefined {
    const [keys] = this.groups.values()
    const [addresses] = keys?.values() ?? []
    const [line] = addresses?.values() ?? []
    return line?.first
  }

  /** Of the calls of this very party the first. */
  firstOf({ group, key, address }: Party): Call | undefined {
    return this.groups.get(group)?.get(key)?.get(address)?.first
  }

  /** How many calls wait in a group. */
  sizeOf(group: string): number {
    return this.sizes.get(group) ?? 0
  }

  /** How many groups have calls that wait. */
  get groupCount(): number {
    return this.groups.size
  }

  /** How many calls are taken before one of this party that came now, were all lanes as long as its own. */
  ahead({ group, key, address }: Party): number {
    const keys = this.groups.get(group)
    const addresses = keys?.get(key)
    const line = addresses?.get(address)
    const rounds = (line?.length ?? 0) + 1
    const share = withIt(addresses, line) * withIt(keys, addresses) * withIt(this.groups, keys)
    const part = group === STRANGERS && this.groups.size > (keys === undefined ? 0 : 1) ? STRANGERS_PART : 1
    return Math.min(this.size, (rounds * share) / part - 1)
  }

  private letStrangersPass(): void {
    const [first] = this.groups
    if (first?.[0] !== STRANGERS || this.groups.size === 1) return
    if (this.passed++ >= PASSED_BY_STRANGERS) {
      this.passed = 0
      return
    }
    this.groups.delete(STRANGERS)
    this.groups.set(STRANGERS, first[1])
  }
}

const isEmpty = (ring: Map<string, unknown>) => ring.size === 0
const isEmptyLine = (line: Line<unknown>) => line.length === 0
/** How many lanes there are with one that may be new. */
const withIt = (ring: Map<string, unknown> | undefined, lane: unknown) =>
  (ring?.size ?? 0) + (lane === undefined ? 1 : 0)

function made<Lane>(ring: Ring<Lane>, name: string, make: () => Lane): Lane {
  const known = ring.get(name)
  if (known !== undefined) return known
  const lane = make()
  ring.set(name, lane)
  return lane
}

/** Takes from the lane whose turn it is; it stands behind the others then, or is gone where it has no more. */
function turn<Lane, Call>(
  ring: Ring<Lane>,
  take: (lane: Lane) => Call | undefined,
  isOver: (lane: Lane) => boolean,
): Call | undefined {
  const [next] = ring
  if (next === undefined) return undefined
  const [name, lane] = next
  const call = take(lane)
  ring.delete(name)
  if (!isOver(lane)) ring.set(name, lane)
  return call
}
