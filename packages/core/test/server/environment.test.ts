import { expect, it } from 'vitest'
import {
  environmentFaults,
  filledEnvironment,
  secretNamesIn,
  secretVariablesOf,
  unsafeOutsideSandbox,
} from '../../src/server/environment'

const messages = (environment: object) =>
  environmentFaults(environment as Record<string, string>, 'env').map(({ path, message }) => `${path} ${message}`)

it.each(['LOG_LEVEL', '_a', 'lower', 'LD_PRELOAD', 'NODE_OPTIONS', 'PORTS', 'LANGUAGE'])('takes %s', (name) => {
  expect(messages({ [name]: 'größe\n$x $${x}' })).toEqual([])
  expect(messages({ [name]: 'user:${secret:KEY}@host' })).toEqual([])
})

it.each(['HOME', 'LANG', 'PATH', 'SVC_CONFIG_FILE', 'TRACEPARENT', 'PORT_GAME', 'MATCHYARD_ROLE'])(
  'refuses %s, which the service sets',
  (name) => {
    expect(messages({ [name]: 'x' })).toEqual([expect.stringMatching(`^env.${name} is set by the service`)])
  },
)

it.each(['', 'constructor', 'A-B', '1A', 'A B', 'A=', 'É', 'A'.repeat(129)])('refuses %j, which is no name', (name) => {
  expect(messages({ [name]: 'x' })).toEqual([expect.stringMatching('is not the name of a variable')])
})

it('refuses names that the shell keeps for itself', () => {
  expect(messages({ UID: '0', SHELLOPTS: 'x' })).toHaveLength(2)
})

it.each([
  ['a\0b', /U\+0000/],
  ['\ud800', /valid Unicode/],
  ['${HOME}', /names \$\{HOME\}, which is not known; .*; write \$\$\{/],
  ['${secret:A-B}', /names \$\{secret:A-B\}, which is not known/],
  ['${open', /never closed/],
  [7, /must be a text/],
])('refuses the value %j', (value, message) => {
  expect(messages({ A: value })).toEqual([expect.stringMatching(message)])
})

it('refuses too many variables, and too many bytes of them all', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, 'x']))
  expect(messages(many(64))).toEqual([])
  expect(messages(many(65))).toEqual(['env has 65 variables; at most 64 variables are allowed'])
  // The braces, quotes, colon and name take 8 bytes.
  expect(messages({ A: 'x'.repeat(8_184) })).toEqual([])
  expect(messages({ A: 'x'.repeat(8_185) })).toEqual(['env has 8193 bytes; at most 8192 bytes are allowed'])
})

it('fills in the text ${, and knows which variables load code', () => {
  const secrets = new Map([['KEY', '$& ${secret:B} $1']])
  expect(filledEnvironment({ A: '$${x} $$', B: 'k=${secret:KEY};$${secret:KEY}' }, secrets)).toEqual({
    A: '${x} $$',
    B: 'k=$& ${secret:B} $1;${secret:KEY}',
  })
  expect(secretNamesIn({ A: '${secret:KEY}${secret:KEY}', B: '${secret:B}$${secret:C}' })).toEqual(['KEY', 'B'])
  expect(secretVariablesOf({ A: 'x', B: '${secret:B}', C: '$${secret:C}' })).toEqual(['B'])
  expect(unsafeOutsideSandbox({ LD_X: '', A: '', BASH_ENV: '', NODE_OPTIONS: '', NODE_ENV: '' })).toEqual([
    'LD_X',
    'BASH_ENV',
    'NODE_OPTIONS',
  ])
})
