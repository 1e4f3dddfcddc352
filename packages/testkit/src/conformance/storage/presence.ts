import assert from 'node:assert/strict'
import { PRESENCE_AT_ONCE, type Storage } from '@matchyard/core/ports'
import { apply, next, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aServer } from './samples'

const it = area('presence')

const read = async (storage: Storage, scope: string) =>
  (await storage.presence.read(scope)).sort((a, b) => (a.member < b.member ? -1 : 1))
const touch = (storage: Storage, scope: string, member: string, at: number) =>
  storage.presence.touch([{ scope, member, at }])

export const presenceCases = [
  it('keeps the latest instant of each member', async ({ storage }) => {
    await storage.presence.touch([
      { scope: 'lob_a', member: 'ann', at: 2_000 },
      { scope: 'lob_a', member: 'bob', at: 1_000 },
      { scope: 'lob_b', member: 'ann', at: 500 },
    ])
    await touch(storage, 'lob_a', 'ann', 1_500)
    await touch(storage, 'lob_a', 'bob', 3_000)
    assert.deepEqual(await read(storage, 'lob_a'), [
      { member: 'ann', at: 2_000 },
      { member: 'bob', at: 3_000 },
    ])
    assert.deepEqual(await read(storage, 'lob_b'), [{ member: 'ann', at: 500 }])
    assert.deepEqual(await read(storage, 'lob_none'), [])
  }),

  it('is read of several scopes at once', async ({ storage }) => {
    await storage.presence.touch([
      { scope: 'player:prj_a:ann\u0000', member: 'client', at: 2_000 },
      { scope: 'lob_a', member: 'bob', at: 1_000 },
      { scope: 'lob_a', member: 'ann', at: 3_000 },
      { scope: 'lob_b', member: 'ann', at: 500 },
    ])
    const scopes = ['lob_a', 'player:prj_a:ann\u0000', 'lob_none', 'lob_a']
    const seen = await storage.presence.readMany(scopes)
    const told = seen.map(({ scope, member, at }) => JSON.stringify([scope, member, at])).sort()
    assert.deepEqual(told, [
      JSON.stringify(['lob_a', 'ann', 3_000]),
      JSON.stringify(['lob_a', 'bob', 1_000]),
      JSON.stringify(['player:prj_a:ann\u0000', 'client', 2_000]),
    ])
    assert.deepEqual(await storage.presence.readMany([]), [])
    const many = Array.from({ length: PRESENCE_AT_ONCE }, (_, n) => (n === 7 ? 'lob_b' : `lob_none_${n}`))
    assert.deepEqual(await storage.presence.readMany(many), [{ scope: 'lob_b', member: 'ann', at: 500 }])
  }),

  it('takes one member twice in a call, and none at all', async ({ storage }) => {
    await storage.presence.touch([])
    await storage.presence.touch([
      { scope: 'lob_a', member: 'ann', at: 3_000 },
      { scope: 'lob_a', member: 'ann', at: 2_000 },
    ])
    assert.deepEqual(await read(storage, 'lob_a'), [{ member: 'ann', at: 3_000 }])
  }),

  it('keeps the latest of many touches at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const instants = Array.from({ length: 60 }, (_, index) => 1_000 + ((index * 37) % 60))
    await Promise.all(instants.map((at, index) => touch(index % 2 === 0 ? here : there, 'lob_a', 'ann', at)))
    assert.deepEqual(await read(there, 'lob_a'), [{ member: 'ann', at: 1_059 }])
  }),

  it('is forgotten on request, for one scope', async ({ storage }) => {
    await touch(storage, 'lob_a', 'ann', 1_000)
    await touch(storage, 'lob_b', 'ann', 1_000)
    await storage.presence.forget('lob_a')
    assert.deepEqual(await read(storage, 'lob_a'), [])
    assert.deepEqual(await read(storage, 'lob_b'), [{ member: 'ann', at: 1_000 }])
  }),

  it('is forgotten of some members, and of nobody who was seen later', async ({ storage }) => {
    for (const member of ['ann', 'bob', 'cid', '\u0000']) await touch(storage, 'lob_a', member, 1_000)
    await touch(storage, 'lob_b', 'ann', 1_000)
    const gone = ['ann', '\u0000', 'nobody'].map((member) => ({ member, at: 1_000 }))
    await storage.presence.forgetMembers('lob_a', [...gone, { member: 'bob', at: 999 }])
    await storage.presence.forgetMembers('lob_a', [])
    await storage.presence.forgetMembers('lob_none', gone)
    assert.deepEqual(await read(storage, 'lob_a'), [
      { member: 'bob', at: 1_000 },
      { member: 'cid', at: 1_000 },
    ])
    assert.equal((await read(storage, 'lob_b')).length, 1)
    await touch(storage, 'lob_a', 'ann', 500)
    assert.equal((await read(storage, 'lob_a')).length, 3)
  }),

  it('is forgotten with its lobby or server, and not by a removal that is refused', async ({ storage }) => {
    const [lobby, server] = [aLobby(), aServer()]
    await store(storage, 'lobby', lobby)
    await store(storage, 'server', server)
    await touch(storage, lobby.id, 'ann', 1_000)
    await touch(storage, server.id, 'process', 1_000)
    const tooLate = { id: `removal of ${lobby.id}`, at: 1, checks: [], counters: [], events: [], jobs: [] }
    assert.equal((await storage.commit({ ...tooLate, writes: [remove('lobby', next(lobby))] })).ok, false)
    assert.equal((await read(storage, lobby.id)).length, 1)
    await apply(storage, { writes: [remove('lobby', lobby), remove('server', server)] })
    assert.deepEqual([await read(storage, lobby.id), await read(storage, server.id)], [[], []])
  }),

  it('makes no new version of anything', async ({ storage }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    await touch(storage, lobby.id, 'ann', 1_000)
    assert.deepEqual(await storage.get('lobby', lobby.id), lobby)
    await store(storage, 'lobby', next(lobby))
    assert.equal((await read(storage, lobby.id)).length, 1)
  }),
]
