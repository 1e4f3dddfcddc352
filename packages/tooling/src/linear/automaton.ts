import { ANY_CHARACTER, type Part } from './syntax'

/** Repeats of up to so many are written out, and of a fixed number; of more, they count as endless. */
const WRITTEN_OUT = 8
const FIXED_WRITTEN_OUT = 64

/** The places of a pattern where a character is taken, and which follows which (Glushkov). */
export interface Automaton {
  readonly chars: readonly bigint[]
  /** By place, in how many ways another one follows it. */
  readonly follow: readonly ReadonlyMap<number, number>[]
  /** Places after which nothing more is asked for: the engine has found what it looks for. */
  readonly ends: ReadonlySet<number>
  /** Positions of the text that the engine skips before a match. */
  readonly searches: ReadonlySet<number>
}

interface Piece {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
  /** Whether it may be passed without a character and without a question about the place. */
  readonly isFree: boolean
  /** Last positions after which nothing more is checked. */
  readonly free: readonly number[]
}

const NOTHING: Piece = { first: [], last: [], isNullable: true, isFree: true, free: [] }

/** `isAnchored`: whether it begins at one place; otherwise the engine tries each. */
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

/** Returns the part with the skipped text before it: everything that may precede a match. */
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
