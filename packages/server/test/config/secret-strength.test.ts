import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretFault } from '../../src/config/secret-strength'

test.each([
  ['too short', 'kX9vRb2mTq7wLz4pHn8dJc5sGy3f', /has 28 characters; it needs at least 32/],
  ['one character', 'a'.repeat(64), /repeats itself/],
  ['a short word again and again', 'kX9vRb2m'.repeat(5), /repeats itself/],
  ['the same, cut off', 'kX9vRb2mTq7wLz4p'.repeat(3).slice(0, 40), /repeats itself/],
  ['a template', 'please-CHANGE_ME-before-production-0x7f', /"changeme", which is a well-known placeholder/],
  ['another template', 'your-secret-goes-here-9f8b7c6d5e4f3a2b', /"yoursecret"/],
  ['a word everybody knows', 'Passw0rd!Zx7vB2mTq7wLz4pHn8dJc5sGy3f', /"passw0rd"/],
  ['the name of the product', 'matchyard-Zx7vB2mTq7wLz4pHn8dJc5sGy3f', /"matchyard"/],
  ['digits in a row', '01234567890123456789012345678901234567', /123456|repeats/],
  ['the alphabet', 'zyxwvutsrqponmlkjihgfedcbazyxvutsrq', /neighbouring characters/],
  ['few characters', 'qzqqzzqzqzzzqqzqzzqqqzqzzzqzqqqqzzqzz', /too few different characters/],
])('%s is refused', (_, secret, why) => {
  expect(secretFault(secret)).toMatch(why)
  // The sentence may get into a log, so it must not contain the secret.
  expect(secretFault(secret)).not.toContain(secret)
})

test('what a generator draws is taken', () => {
  for (let round = 0; round < 2_000; round++) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const secret = randomBytes(36).toString(encoding)
      expect(secretFault(secret), secret).toBeUndefined()
    }
    const shortest = randomBytes(16).toString('hex')
    expect(secretFault(shortest), shortest).toBeUndefined()
  }
})
