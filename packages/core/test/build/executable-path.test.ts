import fc from 'fast-check'
import { expect, test } from 'vitest'
import { executablePathFault, normaliseExecutablePath } from '../../src/build/executable-path'

test.each(['server', 'bin/server', './bin/server', 'bin//server', 'a b/ö.x86_64', '..server/run..', 'c/:d'])(
  '%j names a file',
  (path) => {
    expect(executablePathFault(path)).toBeUndefined()
  },
)

test.each([
  '',
  '/bin/server',
  '../server',
  'bin/../server',
  'bin/..',
  '..',
  '.',
  'bin/',
  'bin/.',
  'C:/server',
  'c:server',
  './c:server',
  'bin\\server',
  'a\0b',
  'a\nb',
  'a\ud800',
  'x'.repeat(1_025),
])('%j does not', (path) => {
  expect(executablePathFault(path)).toBeTypeOf('string')
})

test('what is taken stays inside the archive and is one name for one file', () => {
  const segment = fc.constantFrom('', '.', '..', 'a', 'bin', 'server', 'C:', '\\')
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const path = segments.join('/')
      if (executablePathFault(path) !== undefined) return
      const normal = normaliseExecutablePath(path)
      expect(new URL(normal, 'http://archive/root/').pathname).toBe(`/root/${normal}`)
      expect(executablePathFault(normal)).toBeUndefined()
      expect(normaliseExecutablePath(normal)).toBe(normal)
    }),
  )
})
