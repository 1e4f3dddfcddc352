import assert from 'node:assert/strict'
import { HOUR_MS, type Lobby, STREAM_RETENTION, type Storage } from '@matchyard/core'
import { apply, event, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aMatch, aTicket, oneOfEach, QUEUE_KEY } from './samples'

const it = area('prune')
const NOW = 100 * HOUR_MS

/** Writes a stream, one event per version and commit, each at its instant. */
async function stream(
  storage: Storage,
  count: number,
  textBytes: number,
  at: (version: number) => number,
): Promise<Lobby> {
  let lobby = aLobby({ settings: { text: 'x'.repeat(textBytes) } })
  await store(storage, 'lobby', lobby)
  // One after the other, as the lobby's version makes it in life.
  for (let version = 1; version <= count; version++) {
    lobby = { ...lobby, version }
    await apply(storage, { at: at(version), events: [event(lobby, at(version))] })
  }
  return lobby
}
const long = (age: number) => NOW - HOUR_MS - age

export const pruneCases = [
  it('keeps the newest thousand events of a lobby, however old and large', async ({ storage }) => {
    const lobby = await stream(storage, STREAM_RETENTION.events + 40, 5_000, () => long(1))
    await storage.prune(NOW)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 41, newest: 1_040 })
    assert.equal((await storage.events.read(lobby.id, 0, 2_000)).length, 1_000)
  }),

  it('keeps the events of the last hour, however many', async ({ storage }) => {
    const lobby = await stream(storage, 1_100, 5_000, (version) => (version <= 30 ? long(1) : NOW - HOUR_MS))
    await storage.prune(NOW)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 31, newest: 1_100 })
  }),

  it('keeps the last four megabytes of events, however many and old', async ({ storage }) => {
    const lobby = await stream(storage, 1_300, 3_500, () => long(1))
    await storage.prune(NOW)
    const range = await storage.events.range(lobby.id)
    const bytes = JSON.stringify(lobby).length
    const fitting = Math.floor(STREAM_RETENTION.bytes / bytes)
    assert.ok(range && range.newest === 1_300)
    const kept = range.newest - range.oldest + 1
    assert.ok(kept >= fitting && kept <= fitting + 10, `${kept} events of ${bytes} bytes are kept`)
  }),

  it('keeps short streams whole', async ({ storage }) => {
    const lobby = await stream(storage, 20, 100, () => 1)
    await storage.prune(NOW)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 1, newest: 20 })
  }),

  it('forgets the events of lobbies deleted over an hour ago, and not of those deleted later', async ({ storage }) => {
    const [old, recent] = [aLobby(), aLobby()]
    for (const [lobby, at] of [
      [old, NOW - HOUR_MS - 1],
      [recent, NOW - HOUR_MS],
    ] as const) {
      await apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby, 1)] })
      const end = event({ ...lobby, version: 2 }, at, 'lobby_deleted')
      await apply(storage, { at, writes: [remove('lobby', lobby)], events: [end] })
    }
    await storage.prune(NOW)
    assert.equal(await storage.events.range(old.id), undefined)
    assert.deepEqual(await storage.events.read(old.id, 0, 10), [])
    assert.deepEqual(await storage.events.range(recent.id), { oldest: 1, newest: 2 })
  }),

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

  it('takes nothing else', async ({ storage, backDoor }) => {
    const { idempotency: _, ...entities } = oneOfEach()
    const kinds = Object.keys(entities) as (keyof typeof entities)[]
    await apply(storage, {
      at: 1,
      writes: kinds.map((kind) => put(kind, entities[kind])),
      counters: [{ id: 'servers', add: 1 }],
      jobs: [{ id: 'job', kind: 'expire', runAt: 1, payload: {} }],
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
