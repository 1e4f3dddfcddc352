import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WAIT_BUCKETS, waitBucket, waitPercentile } from '../../src/reads/wait-buckets'

const histogram = (waits: readonly number[]) =>
  WAIT_BUCKETS.map((key) => {
    const here = waits.filter((ms) => waitBucket(ms) === key)
    return { key, count: here.length, most: Math.max(0, ...here) }
  }).filter(({ count }) => count > 0)

describe('buckets of waits', () => {
  it('are forty, from waits below a second to waits over an hour', () => {
    expect(WAIT_BUCKETS).toHaveLength(40)
    expect([0, 999, 1_000, 1_249, 1_250, 3_600_000, 10 ** 12].map(waitBucket)).toEqual([
      ...['00', '00', '01', '01', '02', '37', '39'],
    ])
  })

  it('give percentiles that differ from the exact wait by at most a quarter, and below a second by a second', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 4_000_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(waits, fc.constantFrom(0.5, 0.9, 0.99), (some, share) => {
        const sorted = [...some].sort((a, b) => a - b)
        const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? 0
        const told = (waitPercentile(histogram(some), share) ?? 0) * 1_000
        // A tenth of a second is lost when the answer is rounded.
        expect(Math.abs(told - exact)).toBeLessThanOrEqual((exact < 1_000 ? 1_000 : exact / 4) + 51)
      }),
    )
  })

  it('have no percentiles without waits', () => {
    expect(waitPercentile([], 0.5)).toBeNull()
  })
})
