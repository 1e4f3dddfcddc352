import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberedSlug, slugOf } from '../../src/project/slug'

test.each([
  ['Arena', 'arena'],
  ['  My Große Übung! ', 'my-gro-e-ubung'],
  ['Café  del -- Mar', 'cafe-del-mar'],
  ['ゲーム', 'project'],
  ['---', 'project'],
  ['a'.repeat(60), 'a'.repeat(48)],
])('%j becomes %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('any name gives a slug that can stand in a URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 64 }), (name) => {
      expect(slugOf(name)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(slugOf(name).length).toBeLessThanOrEqual(48)
    }),
  )
})

test('the second of a name is numbered 2', () => {
  expect([1, 2, 3].map((n) => numberedSlug('arena', n))).toEqual(['arena', 'arena-2', 'arena-3'])
})
