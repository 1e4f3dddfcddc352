import assert from 'node:assert/strict'
import { uniqueKey } from '@matchyard/core/ports'
import { apply, change, event, next, put, readEvents, refuse, remove, store } from './changes'
import { nextAt } from './claims'
import { area } from './harness'
import { aLobby, aTicket, PROJECT_ID, QUEUE_KEY } from './samples'

const it = area('visibility')
const all = { projectId: PROJECT_ID, includePrivate: true, sort: 'created_at_asc', limit: 100, offset: 0 } as const

export const visibilityCases = [
  it('every read that starts after the answer sees what was written, on every handle', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 1; round <= 20; round++) {
      const [lobby, ticket] = [aLobby({ inviteCode: `CODE${round}` }), aTicket()]
      await apply(here, {
        at: round,
        writes: [put('lobby', lobby), put('ticket', ticket)],
        counters: [{ id: 'round', add: 1 }],
        events: [event(lobby)],
        jobs: [{ id: 'job', kind: 'expire', runAt: round, tenant: 'acc_a', payload: {} }],
      })
      assert.deepEqual(await there.get('lobby', lobby.id), lobby)
      assert.deepEqual(await there.getMany('lobby', [lobby.id]), [lobby])
      assert.deepEqual(await there.find('lobby', uniqueKey.inviteCode(PROJECT_ID, `CODE${round}`)), lobby)
      assert.equal((await there.lobbies.browse(all)).total, round)
      assert.equal((await there.tickets.changedSince(QUEUE_KEY, undefined, 100)).changes.length, round)
      assert.deepEqual(await there.tickets.waiting(), [{ queueKey: QUEUE_KEY, parties: round, players: round }])
      assert.equal((await readEvents(there, lobby.id, 0, 10)).length, 1)
      assert.equal(await there.counters.read('round'), round)
      assert.equal(await nextAt(there, ['expire']), round)
      assert.equal(await there.newestInstant(), round)
    }
  }),

  it('a reader that has read before sees each later form, on every handle', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    let lobby = aLobby({ inviteCode: 'CODE' })
    await store(here, 'lobby', lobby)
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
      assert.deepEqual(await reader.get('lobby', lobby.id), lobby)
      lobby = next(lobby, { name: `round ${round}` })
      await store(writer, 'lobby', lobby)
      assert.deepEqual(await reader.get('lobby', lobby.id), lobby)
      assert.deepEqual(await reader.find('lobby', uniqueKey.inviteCode(PROJECT_ID, 'CODE')), lobby)
      assert.deepEqual((await reader.lobbies.browse(all)).data, [lobby])
    }
    await apply(here, { writes: [remove('lobby', lobby)] })
    assert.equal(await there.get('lobby', lobby.id), undefined)
    assert.equal(await here.get('lobby', lobby.id), undefined)
  }),

  it('what is refused is never seen', async ({ storage, backDoor }) => {
    const [stale, other] = [aLobby({ name: 'kept' }), aLobby()]
    await store(storage, 'lobby', stale)
    const refused = change({
      writes: [put('lobby', other), put('lobby', { ...stale, name: 'lost' })],
      events: [event(other)],
    })
    const answer = storage.commit(refused)
    const during = await storage.get('lobby', other.id)
    assert.equal((await answer).ok, false)
    assert.equal(during, undefined)
    assert.equal(await storage.get('lobby', other.id), undefined)
    assert.equal((await storage.get('lobby', stale.id))?.name, 'kept')
    assert.deepEqual(await readEvents(storage, other.id, 0, 10), [])
    assert.deepEqual((await storage.lobbies.browse(all)).data, [stale])
    assert.deepEqual(
      (await backDoor.entities('lobby')).map(({ value }) => value),
      [stale],
    )
  }),

  it('what is read is what is stored, after every step', async ({ storage, backDoor }) => {
    let lobby = aLobby()
    await store(storage, 'lobby', lobby)
    for (let round = 0; round < 10; round++) {
      const late = change({ writes: [put('lobby', next(next(lobby)))] })
      await refuse(storage, late, { kind: 'lobby', id: lobby.id, on: 'version' })
      lobby = next(lobby, { name: `round ${round}` })
      await store(storage, 'lobby', lobby)
      const [stored] = await backDoor.entities('lobby')
      assert.deepEqual(stored?.value, lobby)
      assert.deepEqual(await storage.get('lobby', lobby.id), lobby)
    }
  }),
]
