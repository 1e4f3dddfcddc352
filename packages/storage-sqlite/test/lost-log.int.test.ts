import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StorageUnavailable } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { acceptLostLog, backupSqlite, inspectSqlite, sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { END_LOG } from '../src/log/log-marks'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { child } from './support/child'
import { creation } from './support/lobbies'

/**
 * Copies a file in another process, because closing a database file in this process would release SQLite's locks on it.
 */
const copy = (from: string, to: string) => execFileSync('cp', [from, to])

const refusalOf = async (path: string) => {
  const storage = sqliteStorage({ path })
  const error = await storage.migrate().catch((reason: unknown) => reason)
  await storage.close()
  expect(error).toBeInstanceOf(StorageUnavailable)
  return (error as Error).message
}

const lobbiesOf = async (path: string) => {
  const storage = sqliteStorage({ path })
  await storage.migrate()
  const count = await storage.counters.read('lobbies')
  await storage.close()
  return count
}

test('a file that was killed and lost its log is refused with what to do, and opens with its log again', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const writer = child('killed-writer', path, '0')
    let said = 0
    for await (const _ of writer.lines) if (++said === 200) writer.process.kill('SIGKILL')
    await writer.ended

    const alone = join(folder, 'alone.db')
    copy(path, alone)
    expect(await refusalOf(alone)).toMatch(/alone\.db-wal is missing.*put it back.*restore a backup.*--accept-lost-log/)
    // Inspecting the file repeatedly does not repair it.
    expect(() => inspectSqlite(alone)).toThrow(/is missing/)
    expect(await refusalOf(alone)).toMatch(/is missing/)
    copy(`${path}-wal`, `${alone}-wal`)
    expect(await lobbiesOf(alone)).toBeGreaterThanOrEqual(said)
    expect(await lobbiesOf(path)).toBeGreaterThanOrEqual(said)
  }))

test('whoever accepts the loss goes on with what the file has', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const store = new Store({ path })
    const storage = storageOver(store)
    await storage.migrate()
    await storage.commit(creation('lob_early'))
    await store.checkpoint()
    await storage.commit(creation('lob_late'))
    const alone = join(folder, 'alone.db')
    copy(path, alone)
    await storage.close()
    expect(await refusalOf(alone)).toMatch(/is missing/)
    acceptLostLog(alone)
    expect(await lobbiesOf(alone)).toBe(1)
    expect(await lobbiesOf(path)).toBe(2)
  }))

test('a file that was closed needs no log, however often it was opened', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    for (let times = 0; times < 3; times++) {
      const store = new Store({ path })
      const storage = storageOver(store)
      await storage.migrate()
      await storage.commit(creation(`lob_${times}`))
      if (times === 1) await store.checkpoint()
      await storage.close()
      expect(existsSync(`${path}-wal`)).toBe(false)
    }
    expect(await lobbiesOf(path)).toBe(3)
  }))

test('a backup, and a copy that another program of SQLite makes, need no log', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    await storage.commit(creation('lob_a'))
    const [backup, vacuumed] = [join(folder, 'backup.db'), join(folder, 'vacuumed.db')]
    await backupSqlite(path, backup)
    const other = new SqliteDatabase(path)
    other.exec(`vacuum into '${vacuumed}'`)
    other.close()
    await storage.close()
    expect(await lobbiesOf(backup)).toBe(1)
    expect(await lobbiesOf(vacuumed)).toBe(1)
  }))

test('a backup made in the middle of a checkpoint needs no log either', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    const raw = new SqliteDatabase(path)
    raw.exec('update log_ended set number = (select number from log_begun)')
    const backup = join(folder, 'backup.db')
    await backupSqlite(path, backup)
    raw.close()
    await storage.close()
    expect(await lobbiesOf(backup)).toBe(0)
    expect(await lobbiesOf(path)).toBe(0)
  }))

test('the log of another time is refused, and is not copied into the file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const store = new Store({ path })
    const storage = storageOver(store)
    await storage.migrate()
    const backup = join(folder, 'backup.db')
    await backupSqlite(path, backup)
    for (let times = 0; times < 3; times++) {
      await storage.commit(creation(`lob_${times}`))
      await store.checkpoint()
    }
    await storage.commit(creation('lob_newest'))
    // A backup replaces a file while the file's log is still in the folder.
    const restored = join(folder, 'restored.db')
    copy(backup, restored)
    copy(`${path}-wal`, `${restored}-wal`)
    await storage.close()
    expect(await refusalOf(restored)).toMatch(/restored\.db-wal is not the write-ahead log of .*move this one away/)
    execFileSync('rm', ['-f', `${restored}-wal`, `${restored}-shm`])
    expect(await lobbiesOf(restored)).toBe(0)
  }))

test('a log that ends before its first page is whole: it was just being begun', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const store = new Store({ path })
    const storage = storageOver(store)
    await storage.migrate()
    await storage.commit(creation('lob_a'))
    await store.checkpoint()
    const cut = join(folder, 'cut.db')
    copy(path, cut)
    execFileSync('cp', [`${path}-wal`, `${cut}-wal`])
    execFileSync('truncate', ['-s', '32', `${cut}-wal`])
    await storage.close()
    expect(await lobbiesOf(cut)).toBe(1)
  }))

test('a file that was killed during a checkpoint may be looked at, copied and written beside before it is started again', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    await storage.commit(creation('lob_a'))
    const raw = new SqliteDatabase(path)
    raw.exec('update log_ended set number = (select number from log_begun)')
    raw.close()
    const killed = join(folder, 'killed.db')
    copy(path, killed)
    copy(`${path}-wal`, `${killed}-wal`)
    await storage.close()

    expect(inspectSqlite(killed)?.damage).toEqual([])
    await backupSqlite(killed, join(folder, 'backup.db'))
    const beside = sqliteStorage({ path: killed, beside: true })
    await beside.commit(creation('lob_b'))
    await beside.close()
    expect(await lobbiesOf(killed)).toBe(2)
    expect(await lobbiesOf(join(folder, 'backup.db'))).toBe(1)
  }))

test('nobody writes beside a file that has lost its log', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    const alone = join(folder, 'alone.db')
    copy(path, alone)
    await storage.close()
    const beside = sqliteStorage({ path: alone, beside: true })
    await expect(beside.commit(creation('lob_a'))).rejects.toThrow(/is missing/)
    await beside.close()
    expect(await refusalOf(alone)).toMatch(/is missing/)
  }))

test('a log that another program has copied after a kill in a checkpoint is told of with how to see that nothing is missing', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    await storage.commit(creation('lob_a'))
    const raw = new SqliteDatabase(path)
    raw.exec(END_LOG)
    raw.close()
    const killed = join(folder, 'killed.db')
    copy(path, killed)
    copy(`${path}-wal`, `${killed}-wal`)
    await storage.close()
    const shell = new SqliteDatabase(killed)
    shell.prepare('select count(*) from lobby').get()
    shell.close()
    expect(await refusalOf(killed)).toMatch(/if another program has opened the file .*before you restore .*on a copy/)
    acceptLostLog(killed)
    expect(await lobbiesOf(killed)).toBe(1)
  }))
