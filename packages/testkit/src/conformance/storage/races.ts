import assert from 'node:assert/strict'
import type { Lobby } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { change, countOk, event, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby } from './samples'

const it = area('races')

const balance = (lobby: Lobby): number => Number(lobby.settings.balance)

/** Moves one unit from one lobby to another; repeats the commit until it succeeds. */
async function transfer(storage: Storage, fromId: string, toId: string): Promise<void> {
  for (;;) {
    const [from, to] = await Promise.all([storage.get('lobby', fromId), storage.get('lobby', toId)])
    assert.ok(from && to)
    const moved = [
      put('lobby', next(from, { settings: { balance: balance(from) - 1 } })),
      put('lobby', next(to, { settings: { balance: balance(to) + 1 } })),
    ]
    if ((await storage.commit(change({ writes: moved }))).ok) return
  }
}

export const raceCases = [
  it('of the commits that expect one version exactly one returns ok', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    let lobby = aLobby()
    await store(here, 'lobby', lobby)
    for (let round = 0; round < 50; round++) {
      const forms = Array.from({ length: 8 }, (_, index) => next(lobby, { name: `contender ${index}` }))
      const results = await Promise.all(
        forms.map((form, index) =>
          (index % 2 === 0 ? here : there).commit(change({ writes: [put('lobby', form)], events: [event(form)] })),
        ),
      )
      assert.equal(countOk(results), 1, `round ${round}`)
      const winner = forms[results.findIndex((result) => result.ok)]
      assert.ok(winner)
      assert.deepEqual(await there.get('lobby', lobby.id), winner)
      lobby = winner
    }
    assert.equal((await subject.backDoor.entities('lobby'))[0]?.version, 51)
    assert.equal((await subject.backDoor.events(lobby.id)).length, 50)
  }),

  it('of the commits that create one id exactly one returns ok', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 20; round++) {
      const lobby = aLobby()
      const forms = Array.from({ length: 6 }, (_, index) => ({ ...lobby, name: `contender ${index}` }))
      const results = await Promise.all(
        forms.map((form, index) => (index % 2 === 0 ? here : there).commit(change({ writes: [put('lobby', form)] }))),
      )
      assert.equal(countOk(results), 1, `round ${round}`)
      assert.deepEqual(await here.get('lobby', lobby.id), forms[results.findIndex((result) => result.ok)])
    }
  }),

  it('of a removal and an update that expect one version exactly one returns ok', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 30; round++) {
      const lobby = aLobby()
      await store(here, 'lobby', lobby)
      const removal = here.commit(change({ writes: [remove('lobby', lobby)] }))
      const update = there.commit(change({ writes: [put('lobby', next(lobby))] }))
      const [removed, updated] = await Promise.all([removal, update])
      assert.notEqual(removed.ok, updated.ok, `round ${round}`)
      assert.equal((await here.get('lobby', lobby.id)) === undefined, removed.ok)
    }
  }),

  it('commits on different entities all succeed when they arrive together', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const lobbies = Array.from({ length: 600 }, () => aLobby())
    const results = await Promise.all(
      lobbies.map((lobby, index) =>
        (index % 2 === 0 ? here : there).commit(change({ writes: [put('lobby', lobby)], events: [event(lobby)] })),
      ),
    )
    assert.equal(countOk(results), 600)
    assert.equal((await subject.backDoor.entities('lobby')).length, 600)
  }),

  it('a commit that conflicts in a crowd fails alone, and the others keep what they wrote', async (subject) => {
    const stale = Array.from({ length: 20 }, () => aLobby())
    await store(subject.storage, 'lobby', ...stale)
    await store(subject.storage, 'lobby', ...stale.map((lobby) => next(lobby)))
    const crowd = Array.from({ length: 300 }, (_, index) => {
      const old = index % 15 === 0 ? stale[index / 15] : undefined
      return old === undefined ? { lobby: aLobby(), late: false } : { lobby: next(old, { name: 'late' }), late: true }
    })
    const results = await Promise.all(
      crowd.map(({ lobby }) =>
        subject.storage.commit(
          change({ writes: [put('lobby', aLobby()), put('lobby', lobby)], counters: [{ id: 'crowd', add: 1 }] }),
        ),
      ),
    )
    assert.deepEqual(
      results.map(({ ok }) => ok),
      crowd.map(({ late }) => !late),
    )
    // Each successful commit creates two lobbies, and a failed commit creates no lobby.
    assert.equal((await subject.backDoor.entities('lobby')).length, 20 + 2 * 280)
    assert.deepEqual(await subject.backDoor.counters(), [{ id: 'crowd', value: 280 }])
  }),

  it('read, change and commit in a loop loses no change', async (subject) => {
    const handles = [subject.storage, await subject.another()]
    const lobby = aLobby({ settings: { balance: 0 } })
    await store(subject.storage, 'lobby', lobby)
    const worker = async (storage: Storage) => {
      for (let done = 0; done < 10; ) {
        const seen = await storage.get('lobby', lobby.id)
        assert.ok(seen)
        const form = next(seen, { settings: { balance: balance(seen) + 1 } })
        if ((await storage.commit(change({ writes: [put('lobby', form)] }))).ok) done++
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, index) => worker(handles[index % 2] ?? subject.storage)))
    const [stored] = await subject.backDoor.entities('lobby')
    assert.deepEqual([stored?.version, stored?.value.settings], [81, { balance: 80 }])
  }),

  it('overlapping commits in opposite orders neither deadlock nor apply in part', async (subject) => {
    const handles = [subject.storage, await subject.another()]
    const lobbies = Array.from({ length: 5 }, () => aLobby({ settings: { balance: 100 } }))
    await store(subject.storage, 'lobby', ...lobbies)
    const moves = Array.from({ length: 60 }, (_, index) => {
      const [from, to] = [lobbies[index % 5], lobbies[(index + 1 + (index % 4)) % 5]]
      assert.ok(from && to)
      const storage = handles[index % 2] ?? subject.storage
      return index % 3 === 0 ? transfer(storage, to.id, from.id) : transfer(storage, from.id, to.id)
    })
    await Promise.all(moves)
    const stored = await subject.backDoor.entities('lobby')
    assert.equal(
      stored.reduce((sum, { value }) => sum + balance(value), 0),
      500,
    )
    // Every move creates one new version of each of two lobbies.
    assert.equal(
      stored.reduce((sum, { version }) => sum + version - 1, 0),
      120,
    )
  }),
]
