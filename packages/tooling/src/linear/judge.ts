import { type Automaton, automatonOf } from './automaton'
import { type Part, parsePattern } from './syntax'

/**
 * Returns the reason why matching a regular expression takes more than linear time, or undefined. A backtracking engine
 * needs more time when two loops can divide the same text in many ways and a part after them may fail. Weber and Seidl
 * call this "infinite degree of ambiguity". Examples are `[ \t]*x?[ \t]*$`, `(a+)+$`, and `\s+$` where the engine
 * searches for the start of the match.
 */
export function slowness(source: string, flags = ''): string | undefined {
  const part = parsePattern(source, flags)
  const isAnchored = flags.includes('y') || startsAtOnePlace(part)
  return lookFault(part, !isAnchored) ?? ambiguity(automatonOf(part, isAnchored))
}

function startsAtOnePlace(part: Part): boolean {
  if (part.kind === 'assertion') return part.isStart
  if (part.kind === 'choice') return part.parts.every(startsAtOnePlace)
  if (part.kind !== 'sequence') return false
  const [first] = part.parts
  return first !== undefined && startsAtOnePlace(first)
}

/**
 * Returns the fault of a lookaround or a back reference. A lookaround is a separate search, which the engine repeats at
 * each position.
 */
function lookFault(part: Part, isInLoop: boolean): string | undefined {
  switch (part.kind) {
    case 'reference':
      return 'refers back to what it has found'
    case 'look':
      if (isInLoop && hasLoop(part.part)) return 'looks around without an end, at every place'
      return lookFault(part.part, isInLoop) ?? ambiguity(automatonOf(part.part, true))
    case 'repeat':
      return lookFault(part.part, isInLoop || part.max > 1)
    case 'sequence':
    case 'choice':
      return part.parts.map((one) => lookFault(one, isInLoop)).find((fault) => fault !== undefined)
    default:
      return undefined
  }
}

function hasLoop(part: Part): boolean {
  if (part.kind === 'repeat') return part.max === Number.POSITIVE_INFINITY || hasLoop(part.part)
  if (part.kind === 'sequence' || part.kind === 'choice') return part.parts.some(hasLoop)
  return part.kind === 'look' && hasLoop(part.part)
}

function ambiguity(automaton: Automaton): string | undefined {
  const reach = reachable(automaton)
  const loops = automaton.chars.map((_, place) => place).filter((place) => reach[place]?.has(place))
  for (const p of loops) {
    for (const [next, ways] of automaton.follow[p] ?? []) {
      if (ways > 1 && reach[next]?.has(p)) return 'has a loop within a loop that takes the same text'
    }
  }
  for (const p of loops) {
    for (const q of loops) {
      // At an end of the pattern the match is found, so the engine tries no other division of the text.
      if (p === q || automaton.ends.has(q) || !reach[p]?.has(q)) continue
      if (sharesText(automaton, p, q)) return 'has two loops that can share out the same text in many ways'
    }
  }
  return undefined
}

/** Returns, by place, the places that the automaton can reach from it. */
function reachable({ follow }: Automaton): ReadonlySet<number>[] {
  return follow.map((next) => {
    const found = new Set(next.keys())
    for (const place of found) for (const further of follow[place]?.keys() ?? []) found.add(further)
    return found
  })
}

/** Whether the same text leads from place `p` to `p`, from `p` to `q`, and from `q` to `q`. */
function sharesText({ chars, follow, ends, searches }: Automaton, p: number, q: number): boolean {
  // The skipped text before a match must not reach an end: the match would be found there, and the search would stop.
  const stops: ReadonlySet<number> = searches.has(p) ? ends : new Set()
  const size = chars.length
  const idOf = (a: number, b: number, c: number) => (a * size + b) * size + c
  const seen = new Set<number>()
  const line: [number, number, number][] = [[p, p, q]]
  for (const [a, b, c] of line) {
    for (const [x, y, z] of stepsFrom(a, b, c)) {
      if (x === p && y === q && z === q) return true
      const id = idOf(x, y, z)
      if (seen.has(id)) continue
      seen.add(id)
      line.push([x, y, z])
    }
  }
  return false

  function* stepsFrom(a: number, b: number, c: number): Generator<[number, number, number]> {
    if (stops.has(b) || stops.has(c)) return
    for (const x of follow[a]?.keys() ?? []) {
      for (const y of follow[b]?.keys() ?? []) {
        const both = (chars[x] ?? 0n) & (chars[y] ?? 0n)
        if (both === 0n) continue
        for (const z of follow[c]?.keys() ?? []) if ((both & (chars[z] ?? 0n)) !== 0n) yield [x, y, z]
      }
    }
  }
}
