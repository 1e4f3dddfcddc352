import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatImageReference, parseImageReference } from '../../src/build/image-reference'

const SHA256 = `sha256:${'0123456789abcdef'.repeat(4)}`

/** Grammar of distribution/reference as one expression, independent of the parser under test. */
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const DOMAIN = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]{1,5})?`
const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const GRAMMAR = new RegExp(
  `^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*(?::[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?(?:@(?:sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128}))?$`,
)

const text = (characters: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max })
const LOWER = 'abcxyz019'
const component = fc
  .tuple(
    text(LOWER, 1, 4),
    fc.array(fc.tuple(fc.constantFrom('.', '_', '__', '-', '---'), text(LOWER, 1, 3)), { maxLength: 2 }),
  )
  .map(([first, rest]) => first + rest.map(([separator, part]) => separator + part).join(''))
const host = fc.oneof(
  fc.constantFrom('localhost', 'ghcr.io', 'registry.example.com', 'Registry.Example.com', '[2001:db8::1]', '10.0.0.7'),
  fc.tuple(text('abcAB09', 1, 5), text('abc09', 1, 5)).map(([a, b]) => `${a}.${b}`),
)
const port = fc.option(fc.integer({ min: 1, max: 65_535 }))
const domain = fc.tuple(host, port).map(([name, number]) => (number === null ? name : `${name}:${number}`))
const reference = fc.record({
  domain: fc.option(domain),
  path: fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
  tag: fc.option(fc.oneof(fc.constantFrom('latest', 'v1.2.3_rc-1', '_'), text('abcXYZ09', 1, 128))),
  digest: fc.option(fc.constantFrom(SHA256, `sha512:${'af09'.repeat(32)}`)),
})

describe('a container image reference', () => {
  test('made of its parts is read back as these parts', () => {
    fc.assert(
      fc.property(reference, (parts) => {
        // Without a registry, the first part of a path must not look like a registry.
        fc.pre(parts.domain !== null || !looksLikeRegistry(parts.path))
        const written = formatImageReference(parts)
        expect(parseImageReference(written)).toEqual({ ok: true, reference: parts })
      }),
    )
  })

  test('is taken exactly when the published grammar takes it', () => {
    const pieces = fc.constantFrom(
      'a',
      'b0',
      'A',
      '.',
      '_',
      '__',
      '___',
      '-',
      '/',
      ':',
      '@',
      'io',
      '[',
      ']',
      '80',
      ' ',
      SHA256,
      'é',
    )
    const almost = fc.array(pieces, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(almost, reference.map(formatImageReference)), (written) => {
        const parsed = parseImageReference(written)
        if (parsed.ok) {
          expect(written).toMatch(GRAMMAR)
          expect(formatImageReference(parsed.reference)).toBe(written)
        } else if (GRAMMAR.test(written)) {
          // The grammar leaves three rules to prose: the length of a name, the range of a port, and that a first part that looks like a
          // registry is one.
          expect(looksLikeRegistry(written) || written.length > 255).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['https://ghcr.io/acme/arena', 'scheme'],
    ['docker://arena', 'scheme'],
    ['user:secret@ghcr.io/acme/arena', 'user name or password'],
    ['user@ghcr.io/acme/arena:1', 'user name or password'],
    ['ghcr.io/Acme/arena', 'upper-case letters'],
    ['Arena', 'upper-case letters'],
    ['', 'name an image'],
    ['arena latest', 'printable'],
    ['arena\n', 'printable'],
    ['/arena', 'empty part'],
    ['ghcr.io/', 'empty part'],
    ['ghcr.io//arena', 'empty part'],
    ['arena:', 'tag'],
    ['arena:-1', 'tag'],
    [`arena:${'t'.repeat(129)}`, 'tag'],
    ['arena:1:2', 'tag'],
    ['arena@sha256:1234', 'digest'],
    [`arena@${SHA256.toUpperCase()}`, 'digest'],
    [`arena@${SHA256}@${SHA256}`, 'digest'],
    ['arena@', 'digest'],
    ['ghcr.io:0/arena', 'registry'],
    ['ghcr.io:65536/arena', 'registry'],
    ['ghcr.io:/arena', 'registry'],
    ['-ghcr.io/arena', 'registry'],
    ['a..b/arena', 'registry'],
    ['../arena', 'registry'],
    ['acme/..', '".."'],
    ['arena___x', '"arena___x"'],
    ['arena-', '"arena-"'],
    ['a'.repeat(256), '255'],
  ])('%j is refused, and the reason says %j', (written, reason) => {
    const parsed = parseImageReference(written)
    expect(parsed.ok ? 'taken' : parsed.fault).toContain(reason)
  })

  test('a refused user info is not repeated', () => {
    expect(JSON.stringify(parseImageReference('user:hunter2@ghcr.io/acme/arena'))).not.toContain('hunter2')
  })
})

function looksLikeRegistry(written: string): boolean {
  const first = written.split('/')[0] ?? ''
  return written.includes('/') && (/[.:A-Z[]/.test(first) || first === 'localhost')
}
