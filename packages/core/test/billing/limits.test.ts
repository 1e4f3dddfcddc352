import { describe, expect, test } from 'vitest'
import {
  buildQuota,
  buildsExceeded,
  concurrentServersExceeded,
  gateFeature,
  gateServer,
  serverQuota,
} from '../../src/billing/limits'
import { anAccount } from './account'

const free = anAccount({ plan: 'free' })
const payg = anAccount({ plan: 'payg' })
const pro = anAccount({ plan: 'pro' })
const smallest = { tier: '1x-1g', region: 'iad', ttlSeconds: null } as const

describe('features', () => {
  test.each(['queues_enabled', 'lobbies_enabled', 'matchmaking_enabled'] as const)('%s is for pro alone', (feature) => {
    expect(gateFeature(pro, feature)).toEqual({ ok: true })
    for (const account of [free, payg]) {
      expect(gateFeature(account, feature)).toMatchObject({
        ok: false,
        rejected: {
          code: 'PLAN_LIMIT_EXCEEDED',
          details: { limit: feature, plan: account.plan, allowed: false, requested: true },
        },
      })
    }
  })
})

describe('servers', () => {
  test('without a ttl a server gets the most that the plan allows', () => {
    expect(gateServer(free, smallest)).toEqual({ ok: true, ttlSeconds: 1_800 })
    expect(gateServer(payg, smallest)).toEqual({ ok: true, ttlSeconds: null })
  })

  test('a ttl within the plan is kept', () => {
    expect(gateServer(free, { ...smallest, ttlSeconds: 1_800 })).toEqual({ ok: true, ttlSeconds: 1_800 })
    expect(gateServer(pro, { ...smallest, ttlSeconds: 864_000 })).toEqual({ ok: true, ttlSeconds: 864_000 })
  })

  test.each([
    [{ tier: '1x-2g' }, { limit: 'max_tier', plan: 'free', allowed: '1x-1g', requested: '1x-2g' }],
    [{ region: 'fra' }, { limit: 'regions', plan: 'free', allowed: ['iad'], requested: 'fra' }],
    [{ ttlSeconds: 1_801 }, { limit: 'max_server_ttl', plan: 'free', allowed: 1_800, requested: 1_801 }],
  ] as const)('free refuses %j', (wish, details) => {
    expect(gateServer(free, { ...smallest, ...wish })).toMatchObject({
      ok: false,
      rejected: { code: 'PLAN_LIMIT_EXCEEDED', details },
    })
    expect(gateServer(payg, { ...smallest, ...wish }).ok).toBe(true)
  })
})

describe('counts', () => {
  test('unlimited has no ceiling', () => {
    expect([serverQuota(free), buildQuota(free)]).toEqual([1, 5])
    expect([serverQuota(payg), buildQuota(pro)]).toEqual([undefined, undefined])
  })

  test('a refused counter names the limit', () => {
    expect(concurrentServersExceeded(free, 1).details).toEqual({
      limit: 'max_concurrent_servers',
      plan: 'free',
      allowed: 1,
      requested: 2,
    })
    expect(buildsExceeded(free, 9).details).toEqual({ limit: 'max_builds', plan: 'free', allowed: 5, requested: 10 })
  })
})
