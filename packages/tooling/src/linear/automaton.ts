import { ANY_CHARACTER, type Part } from './syntax'

/**
 * Largest number up to which a repeat becomes separate copies in the automaton: 8 for a repeat with a range, 64 for a
 * repeat with a fixed number. A larger repeat counts as endless.
 */
const WRITTEN_OUT = 8
const FIXED_WRITTEN_OUT = 64

/**
 * The Glushkov automaton of a pattern: its places, each of which matches one character, and the places that can follow
 * each place.
 */
export interface Automaton {
  readonly chars: readonly bigint[]
  /** By place: for each place that can follow it, the number of ways to do so. */
  readonly follow: readonly ReadonlyMap<number, number>[]
  /** Places after which the pattern is complete, so that the match is found. */
  readonly ends: ReadonlySet<number>
  /** Places that match the text which the engine skips before a match. */
  readonly searches: ReadonlySet<number>
}

interface Piece {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
  /** Whether the piece of the pattern can match without taking a character and without checking an assertion. */
  readonly isFree: boolean
  /** The last places after which the piece requires neither a character nor an assertion. */
  readonly free: readonly number[]
}

const NOTHING: Piece = { first: [], last: [], isNullable: true, isFree: true, free: [] }

/**
 * Returns the automaton of a pattern. `isAnchored` says that a match can start at one position only; otherwise the
 * engine tries each position.
 */
export function automatonOf(part: Part, isAnchored: boolean): Automaton {
  const builder = new Builder()
  const whole = builder.piece(isAnchored ? part : searched(part))
  return { chars: builder.chars, follow: builder.follow, ends: new Set(whole.free), searches: builder.searches }
}

const SEARCH: Part = {
  kind: 'repeat',
  part: { kind: 'chars', chars: ANY_CHARACTER },
  min: 0,
  max: Number.POSITIVE_INFINITY,
}

/**
 * Returns the pattern with a prefix that matches any text, which stands for the text that the engine skips before a
 * match.
 */
function searched(part: Part): Part {
  if (part.kind === 'choice') return { kind: 'choice', parts: part.parts.map(searched) }
  const [first] = part.kind === 'sequence' ? part.parts : []
  if (first?.kind === 'sequence' || first?.kind === 'choice')
    return { kind: 'sequence', parts: [searched(first), ...(part.kind === 'sequence' ? part.parts.slice(1) : [])] }
  if (first?.kind !== 'assertion') return { kind: 'sequence', parts: [SEARCH, part] }
  if (first.isStart) return part
  const before: Part = { kind: 'sequence', parts: [SEARCH, { kind: 'chars', chars: first.before }] }
  return { kind: 'sequence', parts: [{ kind: 'repeat', part: before, min: 0, max: 1 }, part] }
}

class Builder {
  readonly chars: bigint[] = []
  readonly follow: Map<number, number>[] = []
  readonly searches = new Set<number>()

  piece(part: Part): Piece {
    switch (part.kind) {
      case 'chars':
        return this.place(part.chars)
      case 'sequence':
        return part.parts.reduce((before, next) => this.joined(before, this.piece(next)), NOTHING)
      case 'choice':
        return either(part.parts.map((one) => this.piece(one)))
      case 'repeat':
        if (part === SEARCH) this.searches.add(this.chars.length)
        return this.repeated(part.part, part.min, part.max)
      default:
        return { ...NOTHING, isFree: false }
    }
  }

  private place(chars: bigint): Piece {
    const at = this.chars.push(chars) - 1
    this.follow.push(new Map())
    return { first: [at], last: [at], isNullable: false, isFree: false, free: [at] }
  }

  private connect(from: readonly number[], to: readonly number[]): void {
    for (const place of from) {
      const next = this.follow[place]
      for (const other of to) next?.set(other, (next.get(other) ?? 0) + 1)
    }
  }

  private joined(before: Piece, next: Piece): Piece {
    this.connect(before.last, next.first)
    return {
      first: before.isNullable ? [...before.first, ...next.first] : before.first,
      last: next.isNullable ? [...before.last, ...next.last] : next.last,
      free: next.isFree ? [...before.free, ...next.free] : next.free,
      isNullable: before.isNullable && next.isNullable,
      isFree: before.isFree && next.isFree,
    }
  }

  private repeated(part: Part, min: number, max: number): Piece {
    if (max > (min === max ? FIXED_WRITTEN_OUT : WRITTEN_OUT)) {
      const once = this.piece(part)
      this.connect(once.last, once.first)
      return min > 0 ? once : { ...once, isNullable: true, isFree: true }
    }
    let whole = NOTHING
    for (let n = 0; n < max; n++) {
      const once = this.piece(part)
      whole = this.joined(whole, n < min ? once : { ...once, isNullable: true, isFree: true })
    }
    return whole
  }
}

const either = (pieces: readonly Piece[]): Piece => ({
  first: pieces.flatMap(({ first }) => first),
  last: pieces.flatMap(({ last }) => last),
  free: pieces.flatMap(({ free }) => free),
  isNullable: pieces.some(({ isNullable }) => isNullable),
  isFree: pieces.some(({ isFree }) => isFree),
})
