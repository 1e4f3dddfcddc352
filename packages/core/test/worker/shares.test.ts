import { describe, expect, it } from 'vitest'
import { SilentEndpoints } from '../../src/node/silent-endpoints'
import { LANES } from '../../src/worker/lanes'
import { shareOf } from '../../src/worker/shares'

const LANE = LANES.webhooks

/** Claims as storages do: the first job of each tenant before any second one. Each tenant has jobs without end. */
function fill(tenants: readonly string[], inHand: Map<string, number>, silent: ReadonlySet<string> = new Set()): void {
  for (;;) {
    const { limit, perTenant, inHand: counted } = shareOf(LANE, inHand, silent)
    const now = new Map(counted)
    let left = limit
    for (let turn = 0; turn < perTenant; turn++) {
      for (const tenant of tenants) {
        if (left === 0 || (now.get(tenant) ?? 0) !== turn) continue
        now.set(tenant, turn + 1)
        inHand.set(tenant, (inHand.get(tenant) ?? 0) + 1)
        left--
      }
    }
    if (left === limit) return
  }
}

const named = (count: number) => Array.from({ length: count }, (_, index) => `whk_${index}`)
const sum = (inHand: ReadonlyMap<string, number>) => [...inHand.values()].reduce((all, count) => all + count, 0)

describe('the hands of webhooks', () => {
  it('are ten for one that is alone', () => {
    const inHand = new Map<string, number>()
    fill(['one'], inHand)
    expect(inHand.get('one')).toBeGreaterThanOrEqual(9)
    expect(inHand.get('one')).toBeLessThanOrEqual(LANE.perTenant)
  })

  it.each([
    [2, 80],
    [11, 40],
    [12, 40],
    [40, 15],
    [60, 10],
  ])('are not all taken by %i that hang, of which nobody knew: %i are left', (count, left) => {
    const inHand = new Map<string, number>()
    fill(named(count), inHand)
    expect(LANE.hands - sum(inHand)).toBeGreaterThanOrEqual(left)
    // A tenant with quick jobs gets some hands at once.
    fill(['live'], inHand)
    expect(inHand.get('live')).toBeGreaterThan(0)
  })

  it('are a quarter for all that are known to hang, one each, whoever of them asks', () => {
    const dead = named(300)
    const inHand = new Map<string, number>()
    fill([...dead, 'live'], inHand, new Set(dead))
    expect(sum(inHand) - (inHand.get('live') ?? 0)).toBe(25)
    expect(Math.max(...dead.map((tenant) => inHand.get(tenant) ?? 0))).toBe(1)
    expect(inHand.get('live')).toBeGreaterThan(5)
  })

  it('go round among those that hang', () => {
    const silent = new SilentEndpoints()
    const dead = named(60)
    for (const id of dead) silent.note(id, { statusCode: null, durationMs: 15_000 })
    const asked = new Set<string>()
    for (let claim = 0; claim < 3; claim++) {
      const share = shareOf(LANE, new Map(), silent.all)
      silent.passed(share.asked)
      for (const id of share.asked) asked.add(id)
    }
    expect(asked.size).toBe(dead.length)
  })

  it('are as before for who answers again, and for who refuses at once', () => {
    const silent = new SilentEndpoints()
    silent.note('whk', { statusCode: null, durationMs: 15_000 })
    expect(silent.all.size).toBe(1)
    silent.note('whk', { statusCode: 200, durationMs: 9_000 })
    expect(silent.all.size).toBe(0)
    silent.note('whk', { statusCode: null, durationMs: 3 })
    expect(silent.all.size).toBe(0)
  })

  it('and of other lanes are what they were', () => {
    const share = shareOf(LANES.launches, new Map([['acc', 3]]))
    expect(share).toMatchObject({ limit: LANES.launches.hands - 3, perTenant: LANES.launches.perTenant })
  })
})
