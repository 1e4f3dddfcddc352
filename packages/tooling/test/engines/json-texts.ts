import { rounds, seeded } from '../../src/rounds'

interface JsonText {
  readonly text: string
  /** Whether the reader must refuse the text although JSON.parse accepts it, because the text is ambiguous. */
  readonly isAmbiguous?: boolean
}

const WHOLE = [
  ...[
    'null',
    'true',
    ' [ ] ',
    '{}',
    '""',
    '0',
    '-0',
    '1e5',
    '1E+5',
    '-12.50e-2',
    '9007199254740993',
    '9223372036854775808',
  ],
  ...[
    '"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\"',
    '"é😀"',
    '"\\ud83d\\ude00"',
    '[1,[2,[3,{"a":[]}]]]',
    '{"a":1,"b":{"c":null}}',
    '"\u007f"',
  ],
  ...[
    '{"":0}',
    '{"__proto__":1}',
    '[1e-400]',
    '4.9e-324',
    '0.1',
    '123456789.123456789',
    '"\u2028"',
    '[true,false,null]',
  ],
]

const BROKEN = [
  ...[
    '',
    ' ',
    '[',
    ']',
    '{',
    '}',
    '[1,]',
    '[,1]',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '01',
    '-',
    '+1',
    '1.',
    '.5',
  ],
  ...[
    '1e',
    '1e+',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    'nul',
    'nulll',
    'True',
    '"',
    '"\\',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\t"',
  ],
  ...[
    '"\n"',
    '"\u0000"',
    '[1 2]',
    '1 2',
    '{"a":1 "b":2}',
    '/*x*/1',
    '1//',
    '\ufeff1',
    '\u00a01',
    '[1]\u0000',
    '"\\u{41}"',
    '--1',
    '1-1',
  ],
  ...['"a\u001f"', '٣', '１', '[1}', '{"a":[}', '\v1', '"\\uＡＡＡＡ"', '1e5.5', '1_000', "'a'", 'undefined'],
]

const AMBIGUOUS = [
  ...[
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '"\\ud800"',
    '"\\udc00"',
    '"\\udc00\\ud800"',
    '"\ud800"',
    '"\ud800x"',
    '"\\ud800\\n"',
  ],
  ...['1e400', '-1e999', '{"\\ud800":1}', '"\\ud83d\ud83d"', `${'['.repeat(65)}${']'.repeat(65)}`],
]

const PIECES = [
  ...'[]{}",:\\0129.eE+-untrfals /\n\u001fé\ud83d\ude00',
  '\\u',
  '\\ud83d',
  '\\ude00',
  'null',
  '"a"',
  '1e3',
]
const CHANGED = 3_000

/** Returns valid and invalid JSON texts, and 3,000 texts made from them by random cuts, insertions and repetitions. */
export function jsonTexts(): { readonly seed: number; readonly all: readonly JsonText[] } {
  const { seed, next } = seeded()
  const draw = (below: number) => Math.floor(next() * below)
  const known = [...WHOLE, ...BROKEN].map((text) => ({ text }))
  const change = (text: string): string => {
    const at = draw(text.length + 1)
    const piece = PIECES[draw(PIECES.length)] ?? ''
    const ways = [
      text.slice(0, at) + text.slice(at + 1),
      text.slice(0, at) + piece + text.slice(at),
      text.slice(0, at),
      text + text,
    ]
    return ways[draw(ways.length)] ?? ''
  }
  const changed = Array.from({ length: rounds(CHANGED) }, () => {
    let text = WHOLE[draw(WHOLE.length)] ?? ''
    for (let times = draw(4); times >= 0; times--) text = change(text)
    return { text }
  })
  return { seed, all: [...known, ...AMBIGUOUS.map((text) => ({ text, isAmbiguous: true })), ...changed] }
}

/** Returns the texts for which the C# reader's answers, one per line, differ from JSON.parse. */
export function differences(texts: readonly JsonText[], answers: readonly string[]): string[] {
  const faults = texts.flatMap(({ text, isAmbiguous = false }, index) => {
    const answer = answers[index] ?? 'nothing'
    const expected = isAmbiguous || hasNoOneMeaning(text) ? REFUSED : parsed(text)
    const isRight = expected === REFUSED ? answer.startsWith('refused ') : same(expected, understood(answer))
    return isRight ? [] : [`${JSON.stringify(text)}: ${answer}, not ${JSON.stringify(expected) ?? 'refused'}`]
  })
  return answers.length === texts.length ? faults : [...faults, `${answers.length} answers to ${texts.length} texts`]
}

const REFUSED = Symbol('refused')

const understood = (answer: string): unknown =>
  answer.startsWith('read ') ? parsed(Buffer.from(answer.slice('read '.length), 'base64').toString()) : REFUSED

/** Returns the value of a JSON text; REFUSED when the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return REFUSED
  }
}

/** Mono's number parser may be wrong in the last bit, and more than that for numbers close to zero. */
const LAST_BITS = 1e-15
const HARDLY_ANYTHING = 1e-300

function same(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= Math.max(Math.abs(one) * LAST_BITS, HARDLY_ANYTHING)
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [names, others] = [Object.entries(one), Object.entries(other)]
  return (
    names.length === others.length &&
    names.every(([name, value], index) => others[index]?.[0] === name && same(value, others[index]?.[1]))
  )
}

const HALF_A_PAIR = /\p{Surrogate}/u

/**
 * Whether a JSON text is ambiguous: it has half a surrogate pair, a number without a finite value, or a repeated name.
 */
function hasNoOneMeaning(text: string): boolean {
  let isClear = true
  try {
    const value: unknown = JSON.parse(text, (key, one: unknown) => {
      if (HALF_A_PAIR.test(key) || (typeof one === 'string' && HALF_A_PAIR.test(one))) isClear = false
      if (typeof one === 'number' && !Number.isFinite(one)) isClear = false
      return one
    })
    // Each name has one colon outside of strings. JSON.parse keeps only the last of repeated names, so the counts
    // differ.
    const names = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
    return !isClear || names !== namesIn(value)
  } catch {
    return false
  }
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return own + Object.values(value).reduce((sum: number, one) => sum + namesIn(one), 0)
}
