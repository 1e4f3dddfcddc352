import type { MatchSnapshot } from '@matchyard/client'
import type { Server } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { monthOf } from '../src/page/rooms/usage/month'
import { type By, sharesBy } from '../src/page/rooms/usage/shares'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 3, 16)
const month = monthOf(NOW)
const iso = (at: number) => new Date(at).toISOString()

const server = (id: string, hours: number, more: Partial<Server> = {}) =>
  ({
    ...{ instance_id: id, name: `server ${id}`, tier: '1x-1g', version_tag: 'arena', match_id: null },
    ...{ running_at: iso(NOW - hours * HOUR), stopped_at: null, ...more },
  }) as Server
const before = { running_at: iso(month.from - 3 * HOUR), stopped_at: iso(month.from + HOUR) }
const servers = [
  server('a', 2, { match_id: 'of duel' }),
  server('b', 1, { match_id: 'of duel', tier: '2x-2g', version_tag: 'beta' }),
  server('c', 4, { match_id: 'of ranked', stopped_at: iso(NOW - 2 * HOUR) }),
  server('d', 1, { match_id: 'forgotten' }),
  server('e', 0, before),
  server('never ran', 0, { running_at: null }),
  server('ran before', 0, { ...before, stopped_at: iso(month.from - HOUR) }),
]
const matches = [
  { match_id: 'of duel', queue_id: 'duel' },
  { match_id: 'of ranked', queue_id: 'ranked' },
] as MatchSnapshot[]
const parts = (by: By) =>
  sharesBy(by, { servers, matches, month, now: NOW }).map(({ label, servers, ms, share }) => [
    ...[label, servers, ms / HOUR],
    Math.round(share * 1e6) / 1e6,
  ])

it('shares out what ran in a month by time and size, the most first, and all of it together is one', () => {
  expect(parts('queue')).toEqual([
    ['duel', 2, 3, 0.5],
    ['ranked', 1, 2, 0.25],
    ['Earlier matches', 1, 1, 0.125],
    ['Servers without a match', 1, 1, 0.125],
  ])
  expect(parts('build')).toEqual([
    ['arena', 4, 6, 0.75],
    ['beta', 1, 1, 0.25],
  ])
  expect(parts('server').map(([label, , , share]) => [label, share])).toEqual([
    ['server a', 0.25],
    ['server b', 0.25],
    ['server c', 0.25],
    ['server d', 0.125],
    ['server e', 0.125],
  ])
})

it('shares out nothing where nothing ran', () => {
  expect(
    sharesBy('queue', { servers: [server('never ran', 0, { running_at: null })], matches, month, now: NOW }),
  ).toEqual([])
})
