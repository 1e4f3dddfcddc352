import assert from 'node:assert/strict'
import { ENTITY_KINDS } from '@matchyard/core/ports'
import { apply, assertSameText, change, event, next, put, refuse, remove, store } from './changes'
import { area } from './harness'
import { aLobby, anAccount, aTicket, oneOfEach } from './samples'

const it = area('commit')

export const commitCases = [
  it('writes entities, counters, events and jobs together', async ({ storage, backDoor }) => {
    const lobby = aLobby()
    const job = { id: 'expire-lobby', kind: 'expire', runAt: 2_000, tenant: 'acc_a', payload: { lobby: lobby.id } }
    await apply(storage, {
      writes: [put('lobby', lobby)],
      counters: [{ id: 'lobbies', add: 1 }],
      events: [event(lobby)],
      jobs: [job],
    })
    assert.deepEqual(await backDoor.entities('lobby'), [{ id: lobby.id, version: 1, value: lobby }])
    assert.deepEqual(await backDoor.counters(), [{ id: 'lobbies', value: 1 }])
    assert.deepEqual(await backDoor.events(lobby.id), [{ version: 1, name: 'lobby_updated' }])
    assert.deepEqual(await backDoor.jobs(), [job])
  }),

  it('changes nothing at all when its last write conflicts', async ({ storage, backDoor }) => {
    const [first, second, stale] = [aLobby({ inviteCode: 'CODE' }), aLobby(), aLobby()]
    await store(storage, 'lobby', first, stale)
    const refused = await refuse(
      storage,
      {
        at: 9_000,
        writes: [
          remove('lobby', first),
          put('lobby', { ...second, inviteCode: 'CODE' }),
          put('lobby', next(next(stale))),
        ],
        counters: [{ id: 'lobbies', add: 1 }],
        events: [event(second)],
        jobs: [{ id: 'job', kind: 'expire', runAt: 1, tenant: 'acc_a', payload: {} }],
      },
      { kind: 'lobby', id: stale.id, on: 'version' },
    )
    const stored = await backDoor.entities('lobby')
    assert.deepEqual(stored.map(({ id }) => id).sort(), [first.id, stale.id].sort())
    assert.deepEqual(
      (await backDoor.uniqueKeys()).map(({ id }) => id),
      [first.id],
    )
    assert.deepEqual(await backDoor.counters(), [])
    assert.deepEqual(await backDoor.events(second.id), [])
    assert.deepEqual(await backDoor.jobs(), [])
    assert.equal(await storage.commits.find(refused.id), false)
    assert.equal(await storage.newestInstant(), 1_000)
  }),

  it('changes nothing at all when a counter would pass its limit', async ({ storage, backDoor }) => {
    await refuse(
      storage,
      {
        writes: [put('lobby', aLobby()), put('ticket', aTicket())],
        counters: [
          { id: 'unbounded', add: 1 },
          { id: 'full', add: 2, atMost: 1 },
        ],
      },
      { kind: 'counter', id: 'full', on: 'limit' },
    )
    assert.deepEqual(await backDoor.entities('lobby'), [])
    assert.deepEqual(await backDoor.entities('ticket'), [])
    assert.deepEqual(await backDoor.counters(), [])
  }),

  it('refuses a put of a version that is not the one stored, and names it', async ({ storage, backDoor }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const conflict = { kind: 'lobby', id: lobby.id, on: 'version' } as const
    await refuse(storage, { writes: [put('lobby', next(next(lobby)))] }, conflict)
    await refuse(storage, { writes: [put('lobby', { ...lobby, name: 'again' })] }, conflict)
    await apply(storage, { writes: [put('lobby', next(lobby, { name: 'two' }))] })
    await refuse(storage, { writes: [put('lobby', next(lobby, { name: 'late' }))] }, conflict)
    assert.deepEqual(await backDoor.entities('lobby'), [
      { id: lobby.id, version: 2, value: next(lobby, { name: 'two' }) },
    ])
  }),

  it('refuses a put of a later version of what is absent', async ({ storage }) => {
    const lobby = aLobby()
    await refuse(storage, { writes: [put('lobby', next(lobby))] }, { kind: 'lobby', id: lobby.id, on: 'version' })
    assert.equal(await storage.get('lobby', lobby.id), undefined)
  }),

  it('removes an entity, after which its id is free', async ({ storage, backDoor }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    await apply(storage, { writes: [remove('lobby', lobby)] })
    assert.equal(await storage.get('lobby', lobby.id), undefined)
    assert.deepEqual(await backDoor.entities('lobby'), [])
    await store(storage, 'lobby', { ...lobby, name: 'again' })
    assert.equal((await storage.get('lobby', lobby.id))?.name, 'again')
  }),

  it('refuses the removal of a version that has passed', async ({ storage }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    await store(storage, 'lobby', next(lobby))
    const conflict = { kind: 'lobby', id: lobby.id, on: 'version' } as const
    await refuse(storage, { writes: [remove('lobby', lobby)] }, conflict)
    assert.equal((await storage.get('lobby', lobby.id))?.version, 2)
  }),

  it('names the first of several conflicts: checks, writes, unique keys, counters', async ({ storage }) => {
    const [taken, other] = [anAccount({ email: 'ann@example.com' }), anAccount()]
    await store(storage, 'account', taken, other)
    const check = { kind: 'lobby', id: 'lob_none', expected: 3 } as const
    const stale = put('account', next(next(other)))
    const taking = put('account', anAccount({ email: 'ann@example.com' }))
    const counters = [{ id: 'full', add: 2, atMost: 1 }]
    const unique = { kind: 'unique-key', id: 'email:ann@example.com', on: 'unique' } as const
    await refuse(
      storage,
      { checks: [check], writes: [taking, stale], counters },
      { kind: 'lobby', id: check.id, on: 'check' },
    )
    await refuse(storage, { writes: [taking, stale], counters }, { kind: 'account', id: other.id, on: 'version' })
    await refuse(storage, { writes: [taking], counters }, unique)
    await refuse(storage, { counters }, { kind: 'counter', id: 'full', on: 'limit' })
  }),

  it('is found by its id once it is applied, and not before', async ({ storage }) => {
    const commit = change({ writes: [put('lobby', aLobby())] })
    assert.equal(await storage.commits.find(commit.id), false)
    await storage.commit(commit)
    assert.equal(await storage.commits.find(commit.id), true)
  }),

  it('is answered ok and not applied twice when it is sent again', async ({ storage, backDoor }) => {
    const lobby = aLobby()
    const commit = change({
      writes: [put('lobby', lobby)],
      counters: [{ id: 'lobbies', add: 1 }],
      events: [event(lobby)],
    })
    const [one, two] = await Promise.all([storage.commit(commit), storage.commit(commit)])
    assert.deepEqual([one, two, await storage.commit(commit)], [{ ok: true }, { ok: true }, { ok: true }])
    assert.deepEqual(await backDoor.counters(), [{ id: 'lobbies', value: 1 }])
    assert.equal((await backDoor.events(lobby.id)).length, 1)
  }),

  it('may hold nothing at all', async ({ storage }) => {
    const commit = await apply(storage, { at: 5_000 })
    assert.equal(await storage.commits.find(commit.id), true)
    assert.equal(await storage.newestInstant(), 5_000)
  }),

  it('applies hundreds of writes as one', async ({ storage, backDoor }) => {
    const lobbies = Array.from({ length: 300 }, () => aLobby())
    await store(storage, 'lobby', ...lobbies)
    const [last, ...rest] = lobbies.map((lobby) => next(lobby))
    assert.ok(last)
    const writes = [...rest, next(last)].map((lobby) => put('lobby', lobby))
    await refuse(storage, { writes }, { kind: 'lobby', id: last.id, on: 'version' })
    assert.ok((await backDoor.entities('lobby')).every(({ version }) => version === 1))
    await apply(storage, { writes: [last, ...rest].map((lobby) => put('lobby', lobby)) })
    assert.ok((await backDoor.entities('lobby')).every(({ version }) => version === 2))
  }),

  it('throws on what only a bug can send, and changes nothing', async ({ storage, backDoor }) => {
    const lobby = aLobby()
    const wrongVersion = change({ writes: [{ kind: 'lobby', id: lobby.id, expected: 4, put: lobby }] })
    const wrongId = change({ writes: [{ kind: 'lobby', id: 'lob_other', expected: 'absent', put: lobby }] })
    const twice = change({ writes: [put('lobby', lobby), put('lobby', lobby)] })
    for (const commit of [wrongVersion, wrongId, twice]) await assert.rejects(storage.commit(commit))
    assert.deepEqual(await backDoor.entities('lobby'), [])
  }),

  it('raises the newest instant and never lowers it', async ({ storage }) => {
    assert.equal(await storage.newestInstant(), 0)
    await apply(storage, { at: 7_000 })
    await apply(storage, { at: 3_000 })
    assert.equal(await storage.newestInstant(), 7_000)
  }),

  it('stores, changes and removes every kind of entity', async ({ storage, backDoor }) => {
    const entities = oneOfEach()
    await apply(storage, { writes: ENTITY_KINDS.map((kind) => put(kind, entities[kind])) })
    for (const kind of ENTITY_KINDS) {
      const entity = entities[kind]
      assertSameText(await storage.get(kind, entity.id), entity)
      assert.deepEqual(await storage.getMany(kind, ['none', entity.id]), [entity])
      await apply(storage, { writes: [put(kind, next(entity))] })
      assert.deepEqual(await backDoor.entities(kind), [{ id: entity.id, version: 2, value: next(entity) }])
      await apply(storage, { writes: [remove(kind, next(entity))] })
      assert.deepEqual(await backDoor.entities(kind), [])
      assert.equal(await storage.get(kind, entity.id), undefined)
    }
  }),

  it('answers many in the order that was asked for, without those that do not exist', async ({ storage }) => {
    const lobbies = Array.from({ length: 5 }, () => aLobby())
    await store(storage, 'lobby', ...lobbies)
    const ids = [lobbies[3]?.id, 'lob_none', lobbies[0]?.id, lobbies[4]?.id].map(String)
    const found = await storage.getMany('lobby', ids)
    assert.deepEqual(
      found.map(({ id }) => id),
      ids.filter((id) => id !== 'lob_none'),
    )
    assert.deepEqual(await storage.getMany('lobby', []), [])
  }),
]
