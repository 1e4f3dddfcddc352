import assert from 'node:assert/strict'
import { HOUR_MS } from '@matchyard/core/domain'
import type { Storage } from '@matchyard/core/ports'
import { apply, event, next, put, remove, store } from './changes'
import { area } from './harness'
import { aCooldown, aLobby, aMatch, aServer, aTicket, oneOfEach, QUEUE_KEY } from './samples'

const it = area('prune')
const NOW = 100 * HOUR_MS

export const pruneCases = [
  it('forgets commit ids over an hour old, and no others', async ({ storage }) => {
    const old = await apply(storage, { at: NOW - HOUR_MS - 1 })
    const recent = await apply(storage, { at: NOW - HOUR_MS })
    await storage.prune(NOW)
    assert.equal(await storage.commits.find(old.id), false)
    assert.equal(await storage.commits.find(recent.id), true)
    assert.equal(await storage.newestInstant(), NOW - HOUR_MS)
  }),

  it('forgets thousands of them, and still knows the newest instant', async ({ storage, reopen }) => {
    const old = await Promise.all(Array.from({ length: 1_200 }, (_, index) => apply(storage, { at: 1_000 + index })))
    const recent = await Promise.all(Array.from({ length: 30 }, () => apply(storage, { at: NOW })))
    await storage.prune(NOW)
    const remembered = await Promise.all([...old, ...recent].map(({ id }) => storage.commits.find(id)))
    assert.equal(remembered.filter(Boolean).length, 30)
    await storage.prune(NOW + 2 * HOUR_MS)
    assert.equal(await storage.commits.find(recent[0]?.id ?? ''), false)
    assert.equal(await (await reopen()).newestInstant(), NOW)
  }),

  it('forgets idempotency records that have expired, and no others', async ({ storage, backDoor }) => {
    const record = oneOfEach().idempotency
    const [over, last] = [
      { ...record, id: 'over', expiresAt: NOW },
      { ...record, id: 'last', expiresAt: NOW + 1 },
    ]
    await store(storage, 'idempotency', over, last)
    await storage.prune(NOW)
    assert.deepEqual(
      (await backDoor.entities('idempotency')).map(({ id }) => id),
      ['last'],
    )
    await store(storage, 'idempotency', over)
  }),

  it('forgets cooldowns that are over, and no others', async ({ storage, backDoor }) => {
    await store(storage, 'cooldown', aCooldown({ id: 'over', until: NOW }), aCooldown({ id: 'last', until: NOW + 1 }))
    await storage.prune(NOW)
    assert.deepEqual(
      (await backDoor.entities('cooldown')).map(({ id }) => id),
      ['last'],
    )
    await store(storage, 'cooldown', aCooldown({ id: 'over' }))
  }),

  it('keeps young tombstones and everything that waits', async ({ storage }) => {
    const [waits, left] = [aTicket(), aTicket()]
    await apply(storage, { at: 1, writes: [put('ticket', waits), put('ticket', left)] })
    const { cursor } = await storage.tickets.changedSince(QUEUE_KEY, undefined, 10)
    await apply(storage, { at: NOW - HOUR_MS, writes: [remove('ticket', left)] })
    await storage.prune(NOW)
    const { changes } = await storage.tickets.changedSince(QUEUE_KEY, cursor, 10)
    assert.ok(changes.some(({ ticketId, ticket }) => ticketId === left.id && ticket === undefined))
    const all = await storage.tickets.changedSince(QUEUE_KEY, undefined, 10)
    assert.deepEqual(all.changes, [{ ticketId: waits.id, ticket: waits }])
  }),

  it('forgets the figures of matches over an hour old, and no others', async ({ storage, reopen }) => {
    const waits = [{ lobbyId: 'lob_a', players: 1, waitedMs: 4_000 }]
    const [old, recent] = [NOW - 2 * HOUR_MS, NOW].map((createdAt) => aMatch({ createdAt, waits }))
    assert.ok(old && recent)
    await store(storage, 'match', old, recent)
    await storage.prune(NOW)
    const counted = async (from: Storage) => (await from.matches.waits(QUEUE_KEY, 0)).map(({ count }) => count)
    assert.deepEqual(
      [await counted(storage), await counted(await reopen())],
      [
        [1, 1],
        [1, 1],
      ],
    )
  }),

  it('leaves a cursor working when the tombstones before it are gone', async ({ storage, reopen }) => {
    const left = aTicket()
    await apply(storage, { at: 1, writes: [put('ticket', left)] })
    await apply(storage, { at: 2, writes: [remove('ticket', left)] })
    const { cursor } = await storage.tickets.changedSince(QUEUE_KEY, undefined, 10)
    await storage.prune(NOW)
    const again = await reopen()
    const enters = aTicket()
    await store(again, 'ticket', enters)
    const { changes } = await again.tickets.changedSince(QUEUE_KEY, cursor, 10)
    assert.ok(changes.some(({ ticketId }) => ticketId === enters.id))
  }),

  it('leaves logs alone, and pruning logs leaves all else', async ({ storage }) => {
    const lobby = aLobby()
    const commit = await apply(storage, { at: 1, writes: [put('lobby', lobby)], events: [event(lobby, 1)] })
    const changed = next(lobby)
    await apply(storage, { at: 1, writes: [put('lobby', changed)], events: [event(changed, 1)] })
    await storage.events.prune(NOW)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 2, newest: 2 })
    assert.equal(await storage.commits.find(commit.id), true)
    assert.ok(await storage.get('lobby', lobby.id))
    await storage.prune(NOW)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 2, newest: 2 })
  }),

  it('forgets the presence in what is no more, an hour late, and no other', async ({ storage }) => {
    const [lobby, live, ended] = [aLobby(), aServer({ status: 'running' }), aServer({ status: 'stopped' })]
    await store(storage, 'lobby', lobby)
    await store(storage, 'server', live, ended)
    const scopes = [lobby.id, live.id, ended.id, 'node:gone', 'lob_gone']
    const [old, recent] = [NOW - HOUR_MS - 1, NOW - HOUR_MS]
    await storage.presence.touch(scopes.map((scope) => ({ scope, member: 'old', at: old })))
    await storage.presence.touch(scopes.map((scope) => ({ scope, member: 'recent', at: recent })))
    await storage.prune(NOW)
    const kept = async (scope: string) => (await storage.presence.read(scope)).map(({ member }) => member).sort()
    assert.deepEqual(await Promise.all(scopes.map(kept)), [
      ['old', 'recent'],
      ['old', 'recent'],
      ['recent'],
      ['recent'],
      ['recent'],
    ])
  }),

  it('forgets the presence in thousands of them', async ({ storage }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const scopes = Array.from({ length: 1_300 }, (_, index) => `lob_gone_${index}`)
    await storage.presence.touch(
      [...scopes, lobby.id].flatMap((scope) => ['ann', 'bob'].map((member) => ({ scope, member, at: 1 }))),
    )
    await storage.prune(NOW)
    for (const scope of scopes) assert.deepEqual(await storage.presence.read(scope), [])
    assert.equal((await storage.presence.read(lobby.id)).length, 2)
  }),

  it('takes nothing else', async ({ storage, backDoor }) => {
    const { idempotency: _, cooldown: __, arrivals: ___, ...entities } = oneOfEach()
    const kinds = Object.keys(entities) as (keyof typeof entities)[]
    await apply(storage, {
      at: 1,
      writes: kinds.map((kind) => put(kind, entities[kind])),
      counters: [{ id: 'servers', add: 1 }],
      jobs: [{ id: 'job', kind: 'expire', runAt: 1, tenant: 'acc_a', payload: {} }],
    })
    await storage.presence.touch([{ scope: entities.lobby.id, member: 'ann', at: 1 }])
    await storage.prune(NOW)
    for (const kind of kinds) assert.equal((await backDoor.entities(kind)).length, 1, kind)
    assert.equal((await backDoor.jobs()).length, 1)
    assert.equal(await storage.counters.read('servers'), 1)
    assert.equal((await storage.presence.read(entities.lobby.id)).length, 1)
    assert.equal((await storage.tickets.waiting()).length, 1)
  }),
]
