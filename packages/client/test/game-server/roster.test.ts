import { afterEach, expect, it, vi } from 'vitest'
import { Roster } from '../../src/game-server/roster'

afterEach(() => vi.useRealTimers())

it('players who have left are remembered for an hour, and no more than ten thousand of them, the newest', () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
  const roster = new Roster([], 1)
  roster.markGone('ann')
  roster.markGone('bob')
  vi.setSystemTime(1_000_000 + 3_000_000)
  roster.markGone('ann')
  vi.setSystemTime(1_000_000 + 3_600_000)
  roster.markGone('cid')
  expect([roster.goneSince('ann'), roster.goneSince('bob')]).toEqual([4_000_000, undefined])
  for (let n = 0; n < 10_000; n++) roster.markGone(`player ${n}`)
  expect([roster.goneSince('cid'), roster.goneSince('player 0')]).toEqual([undefined, 4_600_000])
})
