import { describe, expect, it } from 'vitest'
import { JOB_KINDS } from '../../src/commit/jobs'
import { JOB_LEASE_MS } from '../../src/node/job-lease'
import { LANE_NAMES, LANES, laneOf, RENEW_EVERY_MS } from '../../src/worker/lanes'

describe('the lanes', () => {
  it('have every kind of job, each in exactly one', () => {
    const kinds = LANE_NAMES.flatMap((name) => [...LANES[name].kinds])
    expect([...kinds].sort()).toEqual([...JOB_KINDS].sort())
    for (const name of LANE_NAMES) for (const kind of LANES[name].kinds) expect(laneOf(kind)).toBe(name)
    expect(laneOf('of a newer release')).toBeUndefined()
  })

  it('leave others a hand, whatever one tenant has', () => {
    for (const name of LANE_NAMES) expect(LANES[name].perTenant).toBeLessThan(LANES[name].hands)
  })

  it('are renewed twice before a claim runs out, and a claim lives no longer than five seconds', () => {
    expect(2 * RENEW_EVERY_MS).toBeLessThan(JOB_LEASE_MS)
    expect(JOB_LEASE_MS).toBeLessThanOrEqual(5_000)
  })
})
