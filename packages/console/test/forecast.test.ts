import type { Server } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { monthOf, projected } from '../src/page/rooms/usage/month'
import { rateNow } from '../src/page/rooms/usage/shares'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 3, 16)
const month = monthOf(NOW)

/** A server that has run for so many hours, and runs on unless it is said that it stopped. */
const server = (hours: number, stopped = false): Server =>
  ({
    tier: '1x-1g',
    running_at: new Date(NOW - hours * HOUR).toISOString(),
    stopped_at: stopped ? new Date(NOW).toISOString() : null,
  }) as Server

it('forecasts a month by what runs now, not by how little ran before', () => {
  const rate = rateNow(0.1, [server(0.5), server(0.5)], month, NOW)
  expect((rate ?? 0) * HOUR).toBeCloseTo(0.2)
  // Half of the month is left: 15 days at $0.20 an hour, and another project's $1 once more.
  expect(projected({ total: 1.1, elsewhere: 1, rate }, month, NOW)).toBeCloseTo(1.1 + 15 * 24 * 0.2 + 1)
})

it('forecasts nothing more where nothing runs, and nothing at all where the rate is not known', () => {
  expect(rateNow(5, [server(10, true)], month, NOW)).toBe(0)
  expect(rateNow(0, [server(1)], month, NOW)).toBeUndefined()
  expect(projected({ total: 0, elsewhere: 0, rate: undefined }, month, NOW)).toBeNull()
})
