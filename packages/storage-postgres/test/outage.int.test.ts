import { OutcomeUnknown, type Storage, StorageUnavailable } from '@matchyard/core/ports'
import { expect, inject, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../src/index'
import { waitUntilBlockedBy } from '../src/testing/harness'
import { startProxy } from '../src/testing/proxy'
import { startServer } from '../src/testing/server'
import { aLobby, change, putLobby } from './support/changes'
import { aStore, cut } from './support/store'

const url = inject('databaseUrl')

/** Blocks a commit near its end, so that its connection can be cut at that moment. */
async function heldInCommit(store: ReturnType<typeof aStore>, id: string) {
  const holder = await store.door.connect()
  await holder.query('begin')
  await holder.query('insert into commit_log (id, at) values ($1, 0)', [id])
  return {
    untilItWaits: () => waitUntilBlockedBy(store.door, holder),
    async release() {
      await holder.query('rollback')
      await holder.end()
    },
  }
}

const counted = (id: string) => ({ ...putLobby(aLobby()), id, counters: [{ id: 'applied', add: 1 }] })

test('a connection cut in COMMIT is an unknown outcome, which find answers and the same commit settles', async () => {
  const store = aStore(url)
  const storage = await store.migrated()
  const commit = counted('cut')
  const held = await heldInCommit(store, commit.id)
  const result = storage.commit(commit)
  const refused = expect(result).rejects.toBeInstanceOf(OutcomeUnknown)
  await held.untilItWaits()
  await cut(store.door, `wait_event_type = 'Lock'`)
  await refused
  await held.release()
  expect(await storage.commits.find(commit.id)).toBe(false)
  expect(await storage.get('lobby', commit.writes[0]?.id ?? '')).toBeUndefined()
  expect(await storage.commit(commit)).toEqual({ ok: true })
  expect(await storage.counters.read('applied')).toBe(1)
})

test('a commit whose answer is lost while the server still works on it is applied once, also when it is sent again', async () => {
  const store = aStore(url)
  const proxy = await startProxy(url)
  onTestFinished(() => proxy.stop())
  const direct = await store.migrated()
  const far = await store.migrated({ url: proxy.url })
  const commit = counted('lost answer')
  const held = await heldInCommit(store, commit.id)
  const refused = expect(far.commit(commit)).rejects.toBeInstanceOf(OutcomeUnknown)
  await held.untilItWaits()
  proxy.loseClients()
  await refused
  // The first attempt is still running on the server when the second one arrives.
  const again = direct.commit(commit)
  await held.release()
  expect(await again).toEqual({ ok: true })
  expect(await direct.commits.find(commit.id)).toBe(true)
  expect(await direct.counters.read('applied')).toBe(1)
  expect(await direct.events.range(commit.writes[0]?.id ?? '')).toEqual({ oldest: 1, newest: 1 })
})

test('a connection cut before COMMIT is not noticed: the commit is sent again', async () => {
  const store = aStore(url)
  const storage = await store.migrated()
  const lobby = aLobby()
  await storage.commit(putLobby(lobby))
  const holder = await store.door.connect()
  await holder.query('begin')
  await holder.query('select from lobby where id = $1 for update', [lobby.id])
  const result = storage.commit(putLobby({ ...lobby, version: 2 }))
  await waitUntilBlockedBy(store.door, holder)
  expect(await cut(store.door, `wait_event_type = 'Lock'`)).toBe(1)
  await holder.query('rollback')
  await holder.end()
  expect(await result).toEqual({ ok: true })
  expect((await storage.get('lobby', lobby.id))?.version).toBe(2)
})

test('connections cut at random under load: what was answered holds, what is unknown is found out', async () => {
  const store = aStore(url)
  const nodes = [await store.migrated(), await store.migrated()]
  const done: { id: string; lobbyId: string; outcome: 'ok' | 'unknown' | 'refused' }[] = []
  let isOver = false
  const work = async (storage: Storage) => {
    while (!isOver || done.length < 60) {
      const lobby = aLobby()
      const commit = { ...putLobby(lobby), counters: [{ id: 'applied', add: 1 }] }
      const outcome = await storage.commit(commit).then(
        () => 'ok' as const,
        (error) => {
          if (error instanceof OutcomeUnknown) return 'unknown' as const
          if (error instanceof StorageUnavailable) return 'refused' as const
          throw error
        },
      )
      done.push({ id: commit.id, lobbyId: lobby.id, outcome })
    }
  }
  const workers = Array.from({ length: 12 }, (_, index) => work(nodes[index % 2] as Storage))
  const cutter = async () => {
    for (let round = 0; round < 25; round++) {
      const before = done.length
      await cut(store.door)
      while (done.length < before + 8) await store.door.query('select 1')
    }
    isOver = true
  }
  await Promise.all([cutter(), ...workers])
  const storage = await store.migrated()
  // The server may still run transactions whose connections were cut. Locking the table waits until they have ended.
  await store.door.query('do $$ begin lock table commit_log in share mode; end $$')
  let applied = 0
  for (const { id, lobbyId, outcome } of done) {
    const [found, there] = [await storage.commits.find(id), (await storage.get('lobby', lobbyId)) !== undefined]
    expect(there).toBe(found)
    if (outcome !== 'unknown') expect(found).toBe(outcome === 'ok')
    if (found) applied++
  }
  expect(await storage.counters.read('applied')).toBe(applied)
  expect(applied).toBeGreaterThan(0)
})

test('a server that restarts is found again, with all that was acknowledged', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const storage = postgresStorage({ url: server.url, connectTimeoutMs: 2_000 })
  onTestFinished(() => storage.close())
  await storage.migrate()
  let resync = Promise.resolve()
  storage.subscribe(({ topic }) => {
    if (topic === 'resync') heard()
  })
  let heard = () => {}
  const lobbies = [aLobby(), aLobby(), aLobby()]
  const put = async (index: number) => storage.commit(putLobby(lobbies[index] ?? aLobby()))
  await put(0)

  await server.restart()
  resync = new Promise((resolve) => {
    heard = resolve
  })
  expect(await put(1)).toEqual({ ok: true })
  await resync

  await server.kill()
  await expect(storage.get('lobby', 'lob_a')).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(storage.commit(change({}))).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(storage.ping()).rejects.toThrow('PostgreSQL: the server cannot be reached')
  await server.start()
  expect(await put(2)).toEqual({ ok: true })
  expect(
    (
      await storage.getMany(
        'lobby',
        lobbies.map(({ id }) => id),
      )
    ).length,
  ).toBe(3)
})

test('a statement that takes too long is given up, and the next one is served', async () => {
  const store = aStore(url)
  const storage = await store.migrated({ statementTimeoutMs: 200 })
  const lobby = aLobby()
  await storage.commit(putLobby(lobby))
  const holder = await store.door.connect()
  await holder.query('begin')
  await holder.query('select from lobby where id = $1 for update', [lobby.id])
  await expect(storage.commit(putLobby({ ...lobby, version: 2 }))).rejects.toThrow('a statement took too long')
  await holder.query('rollback')
  await holder.end()
  expect(await storage.commit(putLobby({ ...lobby, version: 2 }))).toEqual({ ok: true })
})

test('a ping takes a write for its answer: a database that is read-only is not well', async () => {
  const { handle, migrated } = aStore(url)
  await (await migrated()).ping()
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const standby = handle({ url: readOnly.href })
  expect(await standby.get('lobby', 'lob_a')).toBeUndefined()
  await expect(standby.ping()).rejects.toThrow(/the server is read-only/)
})
