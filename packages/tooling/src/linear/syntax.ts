/**
 * One part of a regular expression. `chars` has one bit for each character of the alphabet; the bit is set when the
 * part accepts the character.
 */
export type Part =
  | { readonly kind: 'chars'; readonly chars: bigint }
  /**
   * An assertion. `isStart` says that it holds only at the start of the text. `before` are the characters that may come
   * before the position.
   */
  | { readonly kind: 'assertion'; readonly isStart: boolean; readonly before: bigint }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly part: Part }
  | { readonly kind: 'reference' }

/** Characters that stand for all characters: all characters up to U+017F, and a few examples of each other kind. */
const ALPHABET = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  ...'\u0300\u2028\u202e\u20ac\u3042\ud800\udc00\ufeff\uffff',
]

/** Returns the characters that a class, an escape or a dot accepts, found with the engine itself. */
function charsOf(source: string, flags: string): bigint {
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[gymd]/g, ''))
  return ALPHABET.reduce((chars, character, at) => (one.test(character) ? chars | (1n << BigInt(at)) : chars), 0n)
}

export const ANY_CHARACTER = (1n << BigInt(ALPHABET.length)) - 1n

/** Returns the parts of a regular expression. Throws a SyntaxError when JavaScript refuses the expression. */
export function parsePattern(source: string, flags: string): Part {
  new RegExp(source, flags)
  return new PatternReader(source, flags).choice()
}

const LINE_ENDS = charsOf('[\\n\\r\\u2028\\u2029]', '')
const WORD = charsOf('\\w', '')

/** Returns the characters of a part that accepts exactly one character; undefined for other parts. */
function onlyCharacter(part: Part): bigint | undefined {
  if (part.kind === 'chars') return part.chars
  const [first, ...more] = part.kind === 'sequence' ? part.parts : []
  return first?.kind === 'chars' && more.length === 0 ? first.chars : undefined
}

const ESCAPE = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|[\s\S])/iy
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y
const GROUP = /\((?:\?(?:<?([=!])|:|<\w+>))?/y
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y

class PatternReader {
  private at = 0

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  choice(): Part {
    const parts = [this.sequence()]
    while (this.source[this.at] === '|') {
      this.at++
      parts.push(this.sequence())
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts }
  }

  private sequence(): Part {
    const parts: Part[] = []
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) parts.push(this.quantified())
    return { kind: 'sequence', parts }
  }

  private quantified(): Part {
    const part = this.atom()
    const [sign, from, comma, to] = this.take(QUANTIFIER) ?? []
    if (sign === undefined) return part
    if (from === undefined)
      return { kind: 'repeat', part, min: sign[0] === '+' ? 1 : 0, max: sign[0] === '?' ? 1 : ANY }
    const min = Number(from)
    return { kind: 'repeat', part, min, max: comma === '' ? min : to === '' ? ANY : Number(to) }
  }

  private atom(): Part {
    const first = this.source[this.at]
    if (first === '(') return this.group()
    if (first === '^' || first === '$') {
      this.at++
      const isLine = first === '^' && this.flags.includes('m')
      return { kind: 'assertion', isStart: first === '^' && !isLine, before: isLine ? LINE_ENDS : ANY_CHARACTER }
    }
    const text = this.take(first === '[' ? CLASS : first === '\\' ? ESCAPE : /[\s\S]/y)?.[0] ?? ''
    if (text === '\\b' || text === '\\B') return { kind: 'assertion', isStart: false, before: this.beforeWord(text) }
    if (/^\\[1-9k]/.test(text)) return { kind: 'reference' }
    return { kind: 'chars', chars: charsOf(text, this.flags) }
  }

  private group(): Part {
    const [opening = '', looks] = this.take(GROUP) ?? []
    const part = this.choice()
    this.at++
    if (looks === undefined) return part
    const only = onlyCharacter(part)
    if (only === undefined || !opening.includes('<')) return { kind: 'look', part }
    return { kind: 'assertion', isStart: false, before: looks === '=' ? only : ANY_CHARACTER & ~only }
  }

  /**
   * Returns the characters that may come before a word boundary: if a word character follows, no word character may
   * come before it.
   */
  private beforeWord(border: string): bigint {
    const next = this.source.slice(this.at)
    return border === '\\b' && /^\(?(?:\?:)?[\w]/.test(next) && !next.includes('|')
      ? ANY_CHARACTER & ~WORD
      : ANY_CHARACTER
  }

  /** Returns the match of a sticky pattern at the current position, and moves the position to the end of the match. */
  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (found === null) return undefined
    this.at = pattern.lastIndex
    return found
  }
}

const ANY = Number.POSITIVE_INFINITY
