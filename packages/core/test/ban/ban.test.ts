import { describe, expect, it } from 'vitest'
import { EMBEDDED } from '../../src/access/actor'
import type { Ban, PlayerBan } from '../../src/ban/ban'
import { mayAddBan, mayEnterProject, mayEnterQueue } from '../../src/ban/decide'
import { type BanWish, banFaults, newBan } from '../../src/ban/new-ban'
import { MAX_BANS } from '../../src/catalog/limits'
import type { Project } from '../../src/project/project'

const NOW = Date.UTC(2026, 2, 1)
const given = { id: 'hash', projectId: 'prj', playerId: 'ann', by: EMBEDDED, at: NOW }
const aBan = (wish: BanWish = {}): Ban => newBan(undefined, wish, given)
const banned = (playerId: string, wish: BanWish = {}): PlayerBan => ({ playerId, ban: aBan(wish) })

describe('the content of a ban', () => {
  const faultsOf = (wish: { readonly [Name in keyof BanWish]: unknown }, playerId = 'ann') =>
    banFaults({ playerId, ...wish }, NOW).map(({ path }) => path)

  it.each<[string, BanWish]>([
    ['nothing', {}],
    ['nulls', { reason: null, note: null, until: null, queues: null }],
    ['the longest texts, and lines in a note', { reason: 'é'.repeat(256), note: `${'x'.repeat(1_022)}\n\t` }],
    ['a later end and a queue', { until: NOW + 1, queues: ['duel'] }],
    ['a hundred queues', { queues: Array.from({ length: 100 }, (_, n) => `q_${n}`) }],
  ])('may be %s', (_, wish) => expect(faultsOf(wish)).toEqual([]))

  it.each<[string, { readonly [Name in keyof BanWish]: unknown }]>([
    ['reason', { reason: 'x'.repeat(257) }],
    ['reason', { reason: 'two\nlines' }],
    ['reason', { reason: 7 }],
    ['note', { note: 'x'.repeat(1_025) }],
    ['note', { note: 'turned \u202e around' }],
    ['until', { until: NOW }],
    ['until', { until: Number.NaN }],
    ['until', { until: Number.MAX_SAFE_INTEGER }],
    ['until', { until: '2030-01-01T00:00:00Z' }],
    ['queues', { queues: [] }],
    ['queues', { queues: 'duel' }],
    ['queues', { queues: Array.from({ length: 101 }, (_, n) => `q_${n}`) }],
    ['queues.1', { queues: ['duel', 'duel'] }],
    ['queues.0', { queues: ['Not a queue'] }],
  ])('is refused for its %s: %j', (path, wish) => expect(faultsOf(wish)).toEqual([path]))

  it('is of an id that a player can have', () => {
    for (const playerId of ['', 'x'.repeat(129), 'a\u0000b']) expect(faultsOf({}, playerId)).toEqual(['playerId'])
  })
})

describe('a ban that replaces another', () => {
  const by = { kind: 'key', id: 'key', name: 'k' } as const

  it('keeps the beginning and the author of a ban in force, and nothing else', () => {
    const first = aBan({ reason: 'cheating', note: 'x', until: NOW + 10, queues: ['duel'] })
    expect(newBan(first, {}, { ...given, by, at: NOW + 9 })).toEqual({
      ...first,
      ...{ version: 2, reason: null, note: null, until: null, queues: null, updatedAt: NOW + 9 },
    })
  })

  it('begins anew after one that has ended', () => {
    const ended = aBan({ until: NOW + 10 })
    expect(newBan(ended, {}, { ...given, by, at: NOW + 10 })).toMatchObject({ createdAt: NOW + 10, createdBy: by })
  })
})

describe('a refusal', () => {
  const rejected = (decision: ReturnType<typeof mayEnterProject>) => (decision.ok ? undefined : decision.rejected)
  const until = NOW + 1
  const iso = '2026-03-01T00:00:00.001Z'

  it('shows the caller their own ban, and names all banned players', () => {
    const bans = [banned('bob', { reason: 'b' }), banned('ann', { reason: 'a', until })]
    expect(rejected(mayEnterProject(bans, { playerId: 'ann', backend: false }))).toMatchObject({
      code: 'PLAYER_BANNED',
      details: { scope: 'project', until: iso, reason: 'a', players: ['bob', 'ann'] },
    })
  })

  it('keeps the reason from other players, and tells it to a backend', () => {
    const bans = [banned('bob', { reason: 'b' })]
    const details = { scope: 'project', until: null, players: ['bob'] }
    const to = (backend: boolean) => rejected(mayEnterProject(bans, { playerId: 'ann', backend }))
    expect(to(false)?.details).toEqual({ ...details, reason: null })
    expect(to(true)?.details).toEqual({ ...details, reason: 'b' })
  })

  it('of a queue does not refuse elsewhere', () => {
    const bans = [banned('ann', { queues: ['duel'] })]
    const to = { playerId: 'ann', backend: false }
    expect(mayEnterProject(bans, to).ok).toBe(true)
    expect(mayEnterQueue(bans, to, 'casual').ok).toBe(true)
    expect(rejected(mayEnterQueue(bans, to, 'duel'))?.details).toMatchObject({ scope: 'queue' })
  })
})

it('a project has a bounded number of bans', () => {
  const project = (bans: number): Project => ({
    ...{ id: 'prj', version: 1, accountId: 'acc', name: 'P', slug: 'p' },
    ...{ createdAt: NOW, updatedAt: NOW, deletedAt: null, bans },
  })
  expect(mayAddBan(project(MAX_BANS - 1)).ok).toBe(true)
  expect(mayAddBan(project(MAX_BANS))).toMatchObject({ rejected: { code: 'BAN_LIMIT' } })
})
