import type { Server } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { monthOf, projected } from '../src/page/rooms/usage/month'
import { rateNow } from '../src/page/rooms/usage/shares'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 3, 16)
const month = monthOf(NOW)

/** Returns a server that started `hours` hours ago; it still runs unless `stopped` is set. */
const server = (hours: number, stopped = false): Server =>
  ({
    tier: '1x-1g',
    running_at: new Date(NOW - hours * HOUR).toISOString(),
    stopped_at: stopped ? new Date(NOW).toISOString() : null,
  }) as Server

it('forecasts a month by what runs now, not by how little ran before', () => {
  const rate = rateNow(0.1, [server(0.5), server(0.5)], month, NOW)
  expect((rate ?? 0) * HOUR).toBeCloseTo(0.2)
  // 15 days are left, at $0.20 an hour. The other projects have cost $1 and cost another $1 by the end.
  expect(projected({ total: 1.1, elsewhere: 1, rate }, month, NOW)).toBeCloseTo(1.1 + 15 * 24 * 0.2 + 1)
})

it('forecasts nothing more where nothing runs, and nothing at all where the rate is not known', () => {
  expect(rateNow(5, [server(10, true)], month, NOW)).toBe(0)
  expect(rateNow(0, [server(1)], month, NOW)).toBeUndefined()
  expect(projected({ total: 0, elsewhere: 0, rate: undefined }, month, NOW)).toBeNull()
})
