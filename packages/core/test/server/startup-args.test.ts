import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillArguments, hasUnclosedQuote, splitArguments, startupArgsFaults } from '../../src/server/startup-args'

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

const values = new Map([
  ['PORT_GAME', '7777'],
  ['MATCH_ID', ''],
  ['SVC_CONFIG_FILE', '/a folder/its_svc.json'],
])

it.each([
  ['--port ${PORT_GAME}', ['--port', '7777']],
  ['-p${PORT_GAME}:${PORT_GAME}', ['-p7777:7777']],
  // The quotes around a name make no difference, and a value never becomes two arguments, or none.
  [`'\${PORT_GAME}' "\\\${PORT_GAME}"`, ['7777', '7777']],
  ['--config ${SVC_CONFIG_FILE} --match ${MATCH_ID}', ['--config', '/a folder/its_svc.json', '--match', '']],
  ['$${PORT_GAME} $PORT_GAME $$ $$${PORT_GAME}', ['${PORT_GAME}', '$PORT_GAME', '$$', '$${PORT_GAME}']],
  // A row of an earlier release, which accepted unknown names as text.
  ['${HOME} ${open', ['${HOME}', '${open']],
])('fills %j', (text, args) => {
  expect(fillArguments(text, values)).toEqual(args)
})

it.each([
  ['--port ${PORT_GAME} ${INSTANCE_ID} ${MATCH_ID} ${REGION} ${SVC_CONFIG_FILE} $${HOME} $HOME', undefined],
  [
    '${PORT_CONTROL}',
    /^names \$\{PORT_CONTROL}, which is not known; known are PORT_GAME, INSTANCE_ID, .*write \$\$\{ for/,
  ],
  ['${}', /^names \$\{}, which/],
  ['a${PORT_GAME', /^has "\$\{PORT_GAME", which is never closed/],
  ['${PORT_GAME', /never closed/],
  ['"open', /^has a quote that is never closed$/],
  ['a\0b', /^must not hold U\+0000$/],
])('what is wrong with %j: %s', (text, words) => {
  const ports = [{ name: 'game', protocol: 'udp', internalPort: 7777, tlsEnabled: false }] as const
  const messages = startupArgsFaults(text, ports, 'startupArgs').map(({ message }) => message)
  if (words === undefined) expect(messages).toEqual([])
  else expect(messages).toEqual([expect.stringMatching(words)])
})

it('splits as the shell of this machine does', () => {
  const piece = fc.constantFrom('a', 'b', ' ', '  ', '\\', '"', "'", '\\"', "\\'", '\\\\', '\\ ', 'é', '=')
  // A subshell for each text, because a quote that is never closed ends its shell.
  const script = `for text do (eval "set -- $text"; printf '%s\\0' "$#" "$@") 2>/dev/null; printf '\\1'; done`
  const bySh = (texts: readonly string[]) =>
    execFileSync('/bin/sh', ['-c', script, 'sh', ...texts], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\u0001')
      .slice(0, -1)
  const text = fc
    .array(piece, { maxLength: 12 })
    .map((pieces) => pieces.join(''))
    // A backslash at the very end joins the next line in a shell, so such texts are left out.
    .filter((text) => !/(^|[^\\])(\\\\)*\\$/.test(text))
  let compared = 0
  fc.assert(
    fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (texts) => {
      for (const [i, expected] of bySh(texts).entries()) {
        if (expected === '') continue // a quote that is never closed
        const args = splitArguments(texts[i] as string)
        expect([String(args.length), ...args, ''].join('\0')).toBe(expected)
        compared++
      }
    }),
    { numRuns: 10 },
  )
  expect(compared).toBeGreaterThan(50)
})
