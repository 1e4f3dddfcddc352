import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OutcomeUnknown } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { type Connection, openConnection } from '../src/connection'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { beginFirstLog, END_LOG } from '../src/log/log-marks'
import { openLogSync } from '../src/log/log-sync'
import { storageOver } from '../src/storage-over'
import { Store, type StoreParts } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { HeldDisk, turn } from './support/held-disk'
import { creation } from './support/lobbies'

const FAILURE = new SqliteDatabase.SqliteError('fdatasync', 'SQLITE_IOERR_FSYNC')

/** Opens a file that has one lobby, on a disk that the test controls. */
async function withLobby(path: string, parts: StoreParts = {}) {
  const disk = new HeldDisk()
  const store = new Store({ path }, { openLogSync: disk.open, ...parts })
  const storage = storageOver(store)
  await storage.migrate()
  const commit = storage.commit(creation('lob_a'))
  await turn()
  disk.release()
  await commit
  return { disk, store, storage }
}

async function expectWhole(path: string, lobbies: number) {
  const again = sqliteStorage({ path })
  await again.migrate()
  expect(await again.counters.read('lobbies')).toBe(lobbies)
  await again.close()
}

test('a sync that fails as a log is being ended loses nothing: the file goes on, and opens again', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { disk, store, storage } = await withLobby(path)
    const checkpoint = store.checkpoint()
    await turn()
    expect(disk.waiting).toBe(1)
    disk.fail(FAILURE)
    await checkpoint
    expect((await storage.get('lobby', 'lob_a'))?.id).toBe('lob_a')
    await storage.close()
    await expectWhole(path, 1)
  }))

test('after a sync that failed the file is opened anew only when all that was open is closed', () =>
  withFolder(async (folder) => {
    let opened = 0
    const open: typeof openConnection = (options) => {
      opened += 1
      return openConnection(options)
    }
    let end = () => {}
    const disk = new HeldDisk()
    const stop = () => new Promise<void>((resolve) => (end = resolve))
    const store = new Store({ path: join(folder, 'store.db') }, { open, openLogSync: () => ({ ...disk.open(), stop }) })
    const storage = storageOver(store)
    await storage.migrate()
    const commit = storage.commit(creation('lob_a')).catch((error: unknown) => error)
    await turn()
    disk.fail(FAILURE)
    await turn()
    const found = storage.commits.find('commit of lob_a')
    const ping = storage.ping()
    await turn()
    expect(opened).toBe(1)
    end()
    expect(await commit).toBeInstanceOf(OutcomeUnknown)
    expect(await found).toBe(true)
    await turn()
    disk.release()
    await ping
    expect(opened).toBe(2)
    const closed = storage.close()
    await turn()
    end()
    await closed
  }))

test('a file that could not be opened anew, for another program was reading it, needs no log when it was closed', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { disk, storage } = await withLobby(path)
    const reader = new SqliteDatabase(path, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from lobby').get()
    const commit = storage.commit(creation('lob_b')).catch((error: unknown) => error)
    await turn()
    disk.fail(FAILURE)
    expect(await commit).toBeInstanceOf(OutcomeUnknown)
    await expect(storage.get('lobby', 'lob_a')).rejects.toThrow(/another program is reading it/)
    reader.close()
    await storage.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    await expectWhole(path, 2)
  }))

test('a file keeps its log where another cannot be begun as it is closed', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    await storage.close()
    const connection: Connection = openConnection({ path })
    beginFirstLog(connection.db, connection.file, false)
    connection.db.exec(END_LOG)
    connection.db.exec = () => {
      throw new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL')
    }
    connection.close()
    expect(existsSync(`${path}-wal`)).toBe(true)
    await expectWhole(path, 0)
  }))

test('a thread of the syncs that cannot open the log is replaced', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    let first = true
    const store = new Store(
      { path },
      {
        openLogSync(file) {
          const sync = openLogSync(first ? join(folder, 'none', 'log') : file)
          first = false
          return sync
        },
      },
    )
    const storage = storageOver(store)
    await storage.migrate()
    await expect(storage.commit(creation('lob_a'))).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(await storage.commit(creation('lob_b'))).toEqual({ ok: true })
    await storage.close()
    await expectWhole(path, 2)
  }))
