import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Connection, openConnection } from '../src/connection'
import { SqliteDatabase } from '../src/library'
import { CHECKPOINT_PAGES } from '../src/log/checkpointer'
import { checkpoint } from '../src/log/log-marks'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { creation } from './support/lobbies'

async function opened(path: string) {
  let connection: Connection | undefined
  const store = new Store(
    { path, synchronous: 'normal' },
    {
      open(options) {
        connection = openConnection(options)
        return connection
      },
    },
  )
  const storage = storageOver(store)
  await storage.migrate()
  const frames = () => checkpoint((connection as Connection).db, 'noop')
  let made = 0
  /** Writes lobbies of four pages each, in groups of sixteen. */
  const write = async (groups: number) => {
    const settings = { text: 'x'.repeat(14_000) }
    for (let group = 0; group < groups; group++) {
      await Promise.all(Array.from({ length: 16 }, () => storage.commit(creation(`lob_${made++}`, { settings }))))
    }
  }
  return { store, storage, frames, write, made: () => made }
}

test('a log is copied when it has grown, however fast the writer goes on, and is begun anew', { timeout: 60_000 }, () =>
  withFolder(async (folder) => {
    const { store, storage, frames, write, made } = await opened(join(folder, 'store.db'))
    // The first checkpoint starts the thread, which may take long on a busy machine.
    await store.checkpoint()
    let longest = 0
    for (let n = 0; n < 100; n++) {
      await write(1)
      longest = Math.max(longest, frames().log)
    }
    // The writes of 100 groups make at least 14,000 pages.
    expect(longest).toBeGreaterThan(CHECKPOINT_PAGES / 2)
    expect(longest).toBeLessThan(3 * CHECKPOINT_PAGES)
    expect(await storage.counters.read('lobbies')).toBe(made())
    await storage.close()
  }),
)

test('a checkpoint leaves the whole log in the file and one commit in the next', () =>
  withFolder(async (folder) => {
    const { store, storage, frames, write, made } = await opened(join(folder, 'store.db'))
    await write(3)
    expect(frames().log).toBeGreaterThan(100)
    await store.checkpoint()
    // The log has one page: the mark at the beginning of the next log.
    expect(frames()).toEqual({ busy: 0, log: 1, checkpointed: 0 })
    await write(1)
    expect(await storage.counters.read('lobbies')).toBe(made())
    await storage.close()
  }))

test('a program that reads the file holds the log up and nothing else; once it has ended the log begins anew', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { store, storage, frames, write, made } = await opened(path)
    await write(1)
    const other = new SqliteDatabase(path, { readonly: true })
    other.exec('begin')
    other.prepare('select count(*) from lobby').get()
    await write(1)
    await store.checkpoint()
    const held = frames()
    expect(held.log).toBeGreaterThan(100)
    await write(1)
    expect(frames().log).toBeGreaterThan(held.log)
    expect(other.prepare('select count(*) from lobby').pluck().get()).toBe(16)
    other.exec('commit')
    other.close()
    await store.checkpoint()
    expect(frames().log).toBe(1)
    expect(await storage.counters.read('lobbies')).toBe(made())
    await storage.close()
  }))

test('a checkpoint of our own is not taken for the write of another program, and theirs is not missed', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { store, storage, write } = await opened(path)
    store.othersWrote()
    await write(1)
    await store.checkpoint()
    await write(1)
    expect(store.othersWrote()).toBe(false)
    const other = new SqliteDatabase(path)
    other.exec(`insert into counter values ('theirs', 1)`)
    await store.checkpoint()
    expect(store.othersWrote()).toBe(true)
    other.close()
    await storage.close()
  }))

test('a thread of the checkpoints that could not open the file is replaced at the next one', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { store, storage, frames, write, made } = await opened(path)
    await write(1)
    renameSync(path, `${path}.away`)
    await store.checkpoint()
    renameSync(`${path}.away`, path)
    await write(1)
    expect(frames().log).toBeGreaterThan(100)
    await store.checkpoint()
    expect(frames()).toEqual({ busy: 0, log: 1, checkpointed: 0 })
    expect(await storage.counters.read('lobbies')).toBe(made())
    await storage.close()
  }))
