import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasUnclosedQuote, splitArguments } from '../../src/server/startup-args'

it.each([
  ['', []],
  ['  ', []],
  ['a  b\tc\nd', ['a', 'b', 'c', 'd']],
  [`"two words" 'it is "so"'`, ['two words', 'it is "so"']],
  [`--x="a b"c`, ['--x=a bc']],
  [`"" ''`, ['', '']],
  [`a\\ b \\"c\\"`, ['a b', '"c"']],
  [`"say \\"hi\\" \\n"`, ['say "hi" \\n']],
  [`'a\\b'`, ['a\\b']],
  [`a"b"'c'd`, ['abcd']],
  [`'a\\'`, ['a\\']],
  ['"open end', ['open end']],
  ['größe "ü 🎲"', ['größe', 'ü 🎲']],
  ['$HOME `id` $(id) * ; | & >', ['$HOME', '`id`', '$(id)', '*', ';', '|', '&', '>']],
])('splits %j', (text, args) => {
  expect(splitArguments(text)).toEqual(args)
})

it.each([
  ['', false],
  ['"open', true],
  ["it's", true],
  ['"a\\"', true],
  [`'a\\'`, false],
  ['a\\"', false],
  [`"it's"`, false],
])('whether %j ends inside a quote: %s', (text, isOpen) => {
  expect(hasUnclosedQuote(text)).toBe(isOpen)
})

it('splits as the shell of this machine does', () => {
  const piece = fc.constantFrom('a', 'b', ' ', '  ', '\\', '"', "'", '\\"', "\\'", '\\\\', '\\ ', 'é', '=')
  const bySh = (text: string) => {
    try {
      const script = `set -- ${text}\nprintf '%s\\0' "$#" "$@"`
      return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    } catch {
      return undefined // an unclosed quote
    }
  }
  let compared = 0
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      (text) => {
        // A backslash at the very end joins the next line in a shell.
        fc.pre(!/(^|[^\\])(\\\\)*\\$/.test(text))
        const expected = bySh(text)
        fc.pre(expected !== undefined)
        const args = splitArguments(text)
        expect([String(args.length), ...args, ''].join('\0')).toBe(expected)
        compared++
      },
    ),
    { numRuns: 100 },
  )
  expect(compared).toBeGreaterThan(50)
})
