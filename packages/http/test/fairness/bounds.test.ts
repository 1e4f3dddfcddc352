import type { Caller } from '@matchyard/core'
import { FakeClock } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/exchange/exchange'
import { FairMap } from '../../src/fairness/fair-map'
import type { Party } from '../../src/fairness/party'
import { MAX_COUNTED, Shares } from '../../src/fairness/shares'
import { KnownCallers, MAX_KNOWN, MAX_KNOWN_LENGTH } from '../../src/middleware/known-callers'
import { MAX_IN_LINE, Turns } from '../../src/turns'

const client = (projectId: string, keyId: string): Caller => ({ kind: 'client', keyId, projectId, accountId: 'acc' })
const sent = (headers: Record<string, string>, remoteAddress = '10.0.0.1') =>
  ({ header: (name: string) => headers[name], incoming: { socket: { remoteAddress } } }) as unknown as Exchange
const partyOfKey = (callers: KnownCallers, key: string) => callers.partyOf(sent({ 'api-key': key }))

describe('a map that is fair between owners', () => {
  test('takes from the owner with the most entries, oldest first, and leaves the others theirs', () => {
    const map = new FairMap<number>(100)
    for (let n = 0; n < 5; n++) map.set(`small ${n}`, 'small', n)
    for (let n = 0; n < 1_000; n++) map.set(`large ${n}`, 'large', n)
    expect(map.size).toBeLessThanOrEqual(100)
    expect([0, 4].map((n) => map.get(`small ${n}`))).toEqual([0, 4])
    expect([map.get('large 0'), map.get('large 999')]).toEqual([undefined, 999])
  })

  test('holds no more than its bound where each owner has one', () => {
    const map = new FairMap<number>(100)
    for (let n = 0; n < 1_000; n++) map.set(`${n}`, `${n}`, n)
    expect(map.size).toBeLessThanOrEqual(100)
    expect(map.get('999')).toBe(999)
  })
})

describe('credentials that are remembered', () => {
  test('say whose a call is once they were good; every other call is a stranger of its address', () => {
    const callers = new KnownCallers(0)
    expect(partyOfKey(callers, 'ck_live_a')).toEqual({ account: '', project: '', key: '', address: '10.0.0.1' })
    callers.learn('ck_live_a', client('prj_a', 'key_a'))
    expect(partyOfKey(callers, 'ck_live_a')).toEqual({
      account: 'acc',
      project: 'prj_a',
      key: 'key_a',
      address: '10.0.0.1',
    })
    callers.learn('token', { kind: 'session', accountId: 'acc_a', sessionId: 'ses_a', grants: [] })
    expect(callers.partyOf(sent({ authorization: 'Bearer token' }, '2001:db8::1'))).toEqual({
      account: 'acc_a',
      project: '',
      key: 'ses_a',
      address: '2001:db8:0:0::/64',
    })
    callers.learn('srvt_a', { kind: 'game-server', instanceId: 'srv_a', attempt: 1, projectId: 'prj_a' })
    expect(partyOfKey(callers, 'srvt_a')).toMatchObject({ account: 'acc', project: 'prj_a', key: 'server srv_a' })
    callers.learn('srvt_b', { kind: 'game-server', instanceId: 'srv_b', attempt: 1, projectId: 'prj_b' })
    expect(partyOfKey(callers, 'srvt_b').account).toBe('of prj_b')
    callers.forget('ck_live_a')
    expect(partyOfKey(callers, 'ck_live_a').account).toBe('')
  })

  test('are no more than their bound, of many keys of one project its own oldest are forgotten, and none is long', () => {
    const callers = new KnownCallers(0)
    callers.learn('small', client('prj_small', 'key_small'))
    for (let n = 0; n <= 2 * MAX_KNOWN; n++) callers.learn(`key ${n}`, client('prj_large', `key_${n}`))
    expect(callers.size).toBeLessThanOrEqual(MAX_KNOWN)
    expect(partyOfKey(callers, 'small').project).toBe('prj_small')
    expect(partyOfKey(callers, 'key 0').account).toBe('')
    const long = 'x'.repeat(MAX_KNOWN_LENGTH + 1)
    callers.learn(long, client('prj_small', 'key_long'))
    expect(partyOfKey(callers, long).account).toBe('')
  })
})

describe('shares', () => {
  const party = (account: string, key = 'k', address = 'x'): Party => ({ account, project: account, key, address })

  test('are equal between accounts, then keys, then addresses, and one is always its own', () => {
    const shares = new Shares()
    for (let n = 0; n < 9; n++) shares.add(party('a', n < 6 ? 'k' : 'l'))
    shares.add(party('b'))
    expect(shares.isBelow(party('a', 'l'), 20)).toBe(true)
    expect(shares.isBelow(party('a', 'k'), 20)).toBe(false)
    expect(shares.isBelow(party('b'), 10)).toBe(true)
    expect(shares.isBelow(party('b'), 0)).toBe(false)
    expect(shares.isBelow(party('c'), 0)).toBe(true)
    // Strangers have a quarter of the share of one of three accounts.
    for (let n = 0; n < 2; n++) shares.add(party(''))
    expect([20, 40].map((whole) => shares.isBelow(party(''), whole))).toEqual([false, true])
  })

  test('are given back as they were taken', () => {
    const shares = new Shares()
    const parties = ['a', 'b'].flatMap((account) => ['k', 'l'].map((key) => party(account, key)))
    for (const one of parties) shares.add(one)
    for (const one of parties) shares.remove(one)
    expect(shares).toEqual(new Shares())
  })

  test('tell no more parties apart than their bound', () => {
    const shares = new Shares()
    for (let n = 0; n <= MAX_COUNTED; n++) shares.add(party(`account ${n}`))
    expect(shares.total).toBe(MAX_COUNTED + 1)
    expect(shares.counted).toBe(MAX_COUNTED)
  })
})

test('a line that is full takes calls of those alone who have less than their part of it', () => {
  const begun: string[] = []
  const turns = new Turns(new FakeClock(0), () => {})
  const take = (account: string) =>
    turns.take(
      () => void begun.push(account),
      () => false,
      () => ({ account, project: account, key: 'k', address: 'x' }),
    )
  for (let n = 0; n < MAX_IN_LINE + 2; n++) take('crowd')
  expect(begun.length).toBe(2)
  take('few')
  expect(begun.length).toBe(2)
  take('crowd')
  expect(begun.slice(2)).toEqual(['crowd'])
})
