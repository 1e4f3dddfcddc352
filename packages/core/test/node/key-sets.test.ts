import { FakeClock, FakeGuardedFetch } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { KeySets, MAX_KEY_SETS } from '../../src/node/key-sets'

const POLICY = { allowLoopback: false, allowPrivate: false, httpsOnly: true }
const keys = [{ kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'a' }]
const noLogger = { debug() {}, info() {}, warn() {}, error() {} }

function someKeySets() {
  const guardedFetch = new FakeGuardedFetch()
  guardedFetch.answer = () => ({ status: 200, body: JSON.stringify({ keys }) })
  const clock = new FakeClock()
  return { sets: new KeySets({ guardedFetch, clock, logger: noLogger }, POLICY), guardedFetch }
}

test('key sets are kept up to a bound, and past it the one that was not asked for the longest goes', async () => {
  const { sets, guardedFetch } = someKeySets()
  const urlOf = (n: number) => `https://provider.example/${n}`
  for (let n = 0; n < MAX_KEY_SETS; n++) await sets.keysAt(urlOf(n))
  await sets.keysAt(urlOf(0))
  await sets.keysAt(urlOf(MAX_KEY_SETS))
  expect([sets.size, guardedFetch.requests.length]).toEqual([MAX_KEY_SETS, MAX_KEY_SETS + 1])
  await sets.keysAt(urlOf(0))
  expect(guardedFetch.requests).toHaveLength(MAX_KEY_SETS + 1)
  await sets.keysAt(urlOf(1))
  expect(guardedFetch.requests).toHaveLength(MAX_KEY_SETS + 2)
})

test('a key set that is longer than 64 kB is none, and of one with many keys the first 32 count', async () => {
  const { sets, guardedFetch } = someKeySets()
  guardedFetch.answer = () => ({ status: 200, body: JSON.stringify({ keys, more: 'x'.repeat(64 * 1_024) }) })
  await expect(sets.keysAt('https://provider.example/long')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  guardedFetch.answer = () => ({
    status: 200,
    body: JSON.stringify({ keys: Array.from({ length: 40 }, () => keys[0]) }),
  })
  expect(await sets.keysAt('https://provider.example/many')).toHaveLength(32)
})
