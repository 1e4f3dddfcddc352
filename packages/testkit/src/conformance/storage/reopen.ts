import assert from 'node:assert/strict'
import { StorageUnavailable, uniqueKey } from '@matchyard/core/ports'
import { apply, change, event, next, put, readEvents, refuse, remove, store } from './changes'
import { claimJobs, nextAt } from './claims'
import { area } from './harness'
import { aLobby, aTicket, PROJECT_ID, QUEUE_KEY } from './samples'

const it = area('reopen')

export const reopenCases = [
  it('finds all that was acknowledged', async ({ storage, reopen }) => {
    const [lobby, ticket] = [aLobby({ inviteCode: 'CODE' }), aTicket()]
    const commit = await apply(storage, {
      at: 7_000,
      writes: [put('lobby', lobby), put('ticket', ticket)],
      counters: [{ id: 'servers', add: 2 }],
      events: [event(lobby)],
      jobs: [{ id: 'job', kind: 'expire', runAt: 9_000, tenant: 'acc_a', payload: { n: 1 } }],
    })
    await storage.presence.touch([{ scope: lobby.id, member: 'ann', at: 5_000 }])
    const again = await reopen()
    assert.deepEqual(await again.get('lobby', lobby.id), lobby)
    assert.deepEqual(await again.find('lobby', uniqueKey.inviteCode(PROJECT_ID, 'CODE')), lobby)
    assert.deepEqual(await readEvents(again, lobby.id, 0, 10), [event(lobby)])
    assert.deepEqual(await again.tickets.waiting(), [{ queueKey: QUEUE_KEY, parties: 1, players: 1 }])
    assert.equal(await again.counters.read('servers'), 2)
    assert.equal(await nextAt(again, ['expire']), 9_000)
    assert.equal(await again.commits.find(commit.id), true)
    assert.equal(await again.newestInstant(), 7_000)
    assert.deepEqual(await again.presence.read(lobby.id), [{ member: 'ann', at: 5_000 }])
  }),

  it('goes on from there: versions, keys, limits and cursors still hold', async ({ storage, reopen }) => {
    const lobby = aLobby({ inviteCode: 'CODE' })
    await apply(storage, { writes: [put('lobby', lobby)], counters: [{ id: 'servers', add: 1 }] })
    await store(storage, 'ticket', aTicket())
    const { cursor } = await storage.tickets.changedSince(QUEUE_KEY, undefined, 10)
    const again = await reopen()
    await refuse(again, { writes: [put('lobby', lobby)] }, { kind: 'lobby', id: lobby.id, on: 'version' })
    await refuse(
      again,
      { writes: [put('lobby', aLobby({ inviteCode: 'CODE' }))] },
      { kind: 'unique-key', id: uniqueKey.inviteCode(PROJECT_ID, 'CODE'), on: 'unique' },
    )
    await refuse(
      again,
      { counters: [{ id: 'servers', add: 1, atMost: 1 }] },
      { kind: 'counter', id: 'servers', on: 'limit' },
    )
    const ticket = aTicket()
    await store(again, 'ticket', ticket)
    const { changes } = await again.tickets.changedSince(QUEUE_KEY, cursor, 10)
    assert.ok(changes.some(({ ticketId }) => ticketId === ticket.id))
    await store(again, 'lobby', next(lobby))
  }),

  it('leaves claims and leases in the hands that had them', async ({ storage, reopen }) => {
    await apply(storage, { jobs: [{ id: 'job', kind: 'expire', runAt: 1_000, tenant: 'acc_a', payload: {} }] })
    const [claimed] = await claimJobs(storage, { now: 1_000, limit: 1, leaseMs: 1_000 })
    await storage.leases.acquire('director', 'node_1', 1_000, 1_000)
    const again = await reopen()
    assert.deepEqual(await claimJobs(again, { now: 1_500, limit: 1, leaseMs: 1_000 }), [])
    assert.equal(await again.leases.acquire('director', 'node_2', 1_500, 1_000), false)
    assert.ok(claimed)
    assert.equal(await again.jobs.complete(claimed), true)
  }),

  it('brings nothing back that was removed or refused', async ({ storage, reopen }) => {
    const [removed, refused] = [aLobby(), aLobby()]
    await store(storage, 'lobby', removed)
    await apply(storage, { writes: [remove('lobby', removed)] })
    await storage.commit(change({ writes: [put('lobby', refused), put('lobby', next(removed))] }))
    const again = await reopen()
    assert.deepEqual(await again.getMany('lobby', [removed.id, refused.id]), [])
  }),

  it('keeps all that is answered while a crowd is being written', async ({ storage, reopen, backDoor }) => {
    const lobbies = Array.from({ length: 300 }, () => aLobby())
    await Promise.all(lobbies.map((lobby) => store(storage, 'lobby', lobby)))
    await reopen()
    assert.equal((await backDoor.entities('lobby')).length, 300)
  }),

  it('migrating again changes nothing, also from several handles at once', async ({ storage, another }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const other = await another()
    await Promise.all([storage.migrate(), other.migrate(), storage.migrate(), other.migrate()])
    assert.deepEqual(await storage.get('lobby', lobby.id), lobby)
  }),

  it('is needed once a handle is closed: every call is refused as unavailable', async ({ storage }) => {
    await storage.ping()
    await storage.close()
    await storage.close()
    const calls: (() => Promise<unknown>)[] = [
      () => storage.ping(),
      () => storage.newestInstant(),
      () => storage.commit(change({})),
      () => storage.commits.find('commit'),
      () => storage.get('lobby', 'lob_a'),
      () => claimJobs(storage, { now: 1, limit: 1, leaseMs: 1 }),
      () => storage.leases.acquire('director', 'node_1', 1, 1),
      () => storage.presence.touch([{ scope: 'lob_a', member: 'ann', at: 1 }]),
      () => storage.metrics(1),
      () => storage.prune(1),
    ]
    for (const call of calls) await assert.rejects(call, StorageUnavailable)
  }),
]
