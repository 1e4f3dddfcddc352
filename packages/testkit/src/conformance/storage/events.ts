import assert from 'node:assert/strict'
import type { Lobby } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { apply, change, countOk, event, next, put, readEvents, refuse, remove, store } from './changes'
import { area } from './harness'
import { aLobby } from './samples'

const it = area('events')

/** Returns a lobby whose stream has the given number of versions. */
async function grow(storage: Storage, versions: number): Promise<Lobby> {
  let lobby = aLobby()
  await apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby)] })
  while (lobby.version < versions) {
    lobby = next(lobby, { name: `version ${lobby.version + 1}` })
    await apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby)] })
  }
  return lobby
}

export const eventCases = [
  it('are read after a version, oldest first, up to the limit', async ({ storage }) => {
    const lobby = await grow(storage, 12)
    const versions = async (after: number, limit: number) =>
      (await readEvents(storage, lobby.id, after, limit)).map(({ version }) => version)
    assert.deepEqual(await versions(0, 100), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert.deepEqual(await versions(8, 100), [9, 10, 11, 12])
    assert.deepEqual(await versions(8, 2), [9, 10])
    assert.deepEqual(await versions(12, 100), [])
    assert.deepEqual(await versions(99, 100), [])
    assert.deepEqual(await readEvents(storage, 'lob_none', 0, 10), [])
  }),

  it('carry the lobby as their commit left it', async ({ storage }) => {
    const lobby = aLobby()
    await apply(storage, { writes: [put('lobby', lobby)], events: [event(lobby, 5_000)] })
    const later = next(lobby, { name: 'later' })
    await apply(storage, { writes: [put('lobby', later)], events: [event(later, 6_000)] })
    assert.deepEqual(await readEvents(storage, lobby.id, 0, 10), [event(lobby, 5_000), event(later, 6_000)])
  }),

  it('have a range, undefined where there is none', async ({ storage }) => {
    const lobby = await grow(storage, 5)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 1, newest: 5 })
    assert.equal(await storage.events.range('lob_none'), undefined)
  }),

  it('of one lobby are not those of another', async ({ storage }) => {
    const [a, b] = [aLobby(), aLobby()]
    await apply(storage, { writes: [put('lobby', a), put('lobby', b)], events: [event(a), event(b)] })
    assert.deepEqual(await readEvents(storage, a.id, 0, 10), [event(a)])
    assert.deepEqual(await readEvents(storage, b.id, 0, 10), [event(b)])
  }),

  it('outlive their lobby', async ({ storage }) => {
    const lobby = await grow(storage, 2)
    const end = event(next(lobby), 2_000, 'lobby_deleted')
    await apply(storage, { writes: [remove('lobby', lobby)], events: [end] })
    assert.deepEqual(
      (await readEvents(storage, lobby.id, 1, 10)).map(({ name }) => name),
      ['lobby_updated', 'lobby_deleted'],
    )
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 1, newest: 3 })
  }),

  it('of a refused commit do not exist', async ({ storage, backDoor }) => {
    const lobby = await grow(storage, 2)
    const conflict = { kind: 'lobby', id: lobby.id, on: 'version' } as const
    const wrong = next(next(lobby))
    await refuse(storage, { writes: [put('lobby', wrong)], events: [event(wrong)] }, conflict)
    assert.deepEqual(await storage.events.range(lobby.id), { oldest: 1, newest: 2 })
    assert.equal((await backDoor.events(lobby.id)).length, 2)
  }),

  it('have no gap and no double under contention, and a reader that follows sees each once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const lobby = aLobby()
    await apply(here, { writes: [put('lobby', lobby)], events: [event(lobby)] })
    const seen: number[] = []
    const read = async () => {
      for (const { version } of await readEvents(there, lobby.id, seen.at(-1) ?? 0, 3)) seen.push(version)
    }
    let wins = 0
    for (let round = 0; round < 25; round++) {
      const current = await here.get('lobby', lobby.id)
      assert.ok(current)
      const form = next(current)
      const commits = Array.from({ length: 3 }, () =>
        here.commit(change({ writes: [put('lobby', form)], events: [event(form)] })),
      )
      const [results] = await Promise.all([Promise.all(commits), read()])
      wins += countOk(results)
    }
    for (let before = -1; before < seen.length; await read()) before = seen.length
    assert.equal(wins, 25)
    assert.deepEqual(
      seen,
      Array.from({ length: 26 }, (_, index) => index + 1),
    )
  }),

  it('are written with their lobby or not at all', async ({ storage, backDoor }) => {
    const lobbies = Array.from({ length: 40 }, () => aLobby())
    await store(storage, 'lobby', ...lobbies)
    const forms = lobbies.map((lobby) => next(lobby))
    await Promise.all(
      forms.flatMap((form) =>
        [1, 2].map(() => storage.commit(change({ writes: [put('lobby', form)], events: [event(form)] }))),
      ),
    )
    for (const { id, version } of await backDoor.entities('lobby')) {
      assert.deepEqual(await backDoor.events(id), [{ version, name: 'lobby_updated' }])
    }
  }),
]
