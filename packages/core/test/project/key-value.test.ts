import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32 } from '../../src/project/crc32'
import { drawKeyValue, isKeyValue } from '../../src/project/key-value'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const draws = fc.array(fc.integer({ min: 0, max: 61 }), { minLength: 30, maxLength: 30 })
const keyOf = (numbers: readonly number[], type: 'client' | 'server' = 'server') => {
  const left = [...numbers]
  return drawKeyValue(type, () => left.shift() ?? 0)
}

test('the checksum is the CRC-32 that everybody computes', () => {
  expect(crc32('123456789')).toBe(0xcbf43926)
  expect(crc32('')).toBe(0)
})

test('and agrees with another implementation on any key', () => {
  fc.assert(
    fc.property(draws, (numbers) => {
      expect(crc32(keyOf(numbers))).toBe(zlibCrc32(keyOf(numbers)))
    }),
  )
})

test('a key is its prefix, 30 characters and 6 of checksum, most significant first', () => {
  fc.assert(
    fc.property(draws, fc.constantFrom('client' as const, 'server' as const), (numbers, type) => {
      const value = keyOf(numbers, type)
      expect(value).toMatch(type === 'client' ? /^ck_live_[0-9A-Za-z]{36}$/ : /^sk_live_[0-9A-Za-z]{36}$/)
      const random = value.slice(8, 38)
      expect(random).toBe(numbers.map((number) => BASE62[number]).join(''))
      const sum = [...value.slice(38)].reduce((rest, digit) => rest * 62n + BigInt(BASE62.indexOf(digit)), 0n)
      expect(sum).toBe(BigInt(crc32(random)))
      expect(isKeyValue(value)).toBe(true)
    }),
  )
})

test('a single wrong, missing or swapped character is caught without a look-up', () => {
  fc.assert(
    fc.property(draws, fc.integer({ min: 8, max: 43 }), fc.integer({ min: 1, max: 61 }), (numbers, at, shift) => {
      const value = keyOf(numbers)
      const other = BASE62[(BASE62.indexOf(value[at] ?? '') + shift) % 62]
      expect(isKeyValue(value.slice(0, at) + other + value.slice(at + 1))).toBe(false)
      expect(isKeyValue(value.slice(0, at) + value.slice(at + 1))).toBe(false)
      const swapped = value.slice(0, at) + (value[at + 1] ?? '') + (value[at] ?? '') + value.slice(at + 2)
      expect(isKeyValue(swapped)).toBe(swapped === value)
    }),
  )
})

test.each(['', 'sk_live_', 'pk_live_000000000000000000000000000000000000', `${keyOf([])} `, `\n${keyOf([])}`])(
  '%j is no key',
  (text) => {
    expect(isKeyValue(text)).toBe(false)
  },
)
