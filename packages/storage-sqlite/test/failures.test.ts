import { copyFile, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openConnection } from '../src/connection'
import { asUnavailable } from '../src/failure'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { creation } from './support/lobbies'

/**
 * Returns the message of a rejected call. Fails when the call is not rejected, or when the message has several lines.
 */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StorageUnavailable)
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

test('a file that is not a database is refused and left as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'notes.txt')
    await writeFile(path, 'these are my notes, not a database\n'.repeat(100))
    const storage = sqliteStorage({ path })
    expect(await refusal(storage.migrate())).toMatch(/is not a SQLite database/)
    expect(await readFile(path, 'utf8')).toMatch(/^these are my notes/)
    await storage.close()
  }))

test('the database of another program is refused and left as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'other.db')
    const other = new SqliteDatabase(path)
    other.exec('create table bookmark (url text)')
    const storage = sqliteStorage({ path })
    expect(await refusal(storage.migrate())).toMatch(/another program/)
    expect(other.pragma('journal_mode', { simple: true })).toBe('delete')
    other.close()
    await storage.close()
  }))

test('a newer schema that does not bear this code is refused and left as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    await first.close()
    const db = new SqliteDatabase(path)
    db.pragma('user_version = 99')
    db.exec('update schema_bears set oldest_code = 99')
    const storage = sqliteStorage({ path })
    expect(await refusal(storage.migrate())).toMatch(
      /schema 99, too new for this version, which knows \d+: run a newer version/,
    )
    expect(await refusal(storage.commit(creation('lob_a')))).toMatch(/schema 99/)
    expect(db.pragma('user_version', { simple: true })).toBe(99)
    db.close()
    await storage.close()
  }))

test('a file of another first schema is refused with a sentence that says what to do, and left as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    await first.close()
    const db = new SqliteDatabase(path)
    const line = `${path} was made by another version from before 0.1, and its data cannot be carried over: move it away and start with an empty folder, or run that version`
    for (const otherwise of [
      "update schema_bears set origin = 'another'",
      'alter table schema_bears drop column origin',
    ]) {
      db.exec(otherwise)
      const storage = sqliteStorage({ path })
      expect(await refusal(storage.migrate())).toBe(line)
      await storage.close()
    }
    expect(db.pragma('user_version', { simple: true })).toBe(1)
    db.close()
  }))

test('a newer schema that bears this code is used, and left as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    await first.close()
    const db = new SqliteDatabase(path)
    db.pragma('user_version = 99')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    expect(await storage.commit(creation('lob_a'))).toEqual({ ok: true })
    expect(db.pragma('user_version', { simple: true })).toBe(99)
    db.close()
    await storage.close()
  }))

test('a file that was never migrated is refused with the remedy', () =>
  withFolder(async (folder) => {
    const storage = sqliteStorage({ path: join(folder, 'store.db') })
    expect(await refusal(storage.ping())).toMatch(/migrate it first/)
    await storage.migrate()
    await storage.ping()
    await storage.close()
  }))

test('a folder that does not exist, and a folder in the place of the file, are refused', () =>
  withFolder(async (folder) => {
    const missing = sqliteStorage({ path: join(folder, 'none', 'store.db') })
    expect(await refusal(missing.migrate())).toMatch(/folder must exist and be writable/)
    await mkdir(join(folder, 'store.db'))
    const inPlace = sqliteStorage({ path: join(folder, 'store.db') })
    expect(await refusal(inPlace.migrate())).toMatch(/cannot be opened/)
    // After the fault is repaired, the same handle works.
    await mkdir(join(folder, 'none'))
    await missing.migrate()
    await missing.ping()
    await missing.close()
    await inPlace.close()
  }))

test('a read-only file is refused', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    new SqliteDatabase(path).exec('create table item (n integer)').close()
    const db = new SqliteDatabase(path, { readonly: true })
    const write = async () => {
      try {
        db.exec('insert into item values (1)')
      } catch (error) {
        throw asUnavailable(error, path)
      }
    }
    expect(await refusal(write())).toMatch(/read-only \(SQLITE_READONLY\)/)
    db.close()
  }))

test('a damaged file is refused, whole pages of it overwritten', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    await Promise.all(Array.from({ length: 200 }, (_, n) => first.commit(creation(`lob_${n}`))))
    await first.close()
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - 8_192, 0xa5), 0, size - 8_192, 8_192)
    await file.close()
    const storage = sqliteStorage({ path })
    expect(await refusal(storage.migrate().then(() => storage.commit(creation('lob_new'))))).toMatch(/damaged/)
    await storage.close()
  }))

test('a file that another program has locked is refused, and works once it is free', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    const other = new SqliteDatabase(path)
    other.exec('begin immediate')
    expect(await refusal(storage.commit(creation('lob_a')))).toMatch(/another program has locked the file/)
    expect(await storage.get('lobby', 'lob_a')).toBeUndefined()
    other.exec('rollback')
    expect(await storage.commit(creation('lob_a'))).toEqual({ ok: true })
    other.close()
    await storage.close()
  }))

test('a group that is refused says so once', () =>
  withFolder(async (folder) => {
    const lines: string[] = []
    const log = (message: string) => void lines.push(message)
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path, logger: { debug: log, info: log, warn: log, error: log } })
    await storage.migrate()
    const other = new SqliteDatabase(path)
    other.exec('begin immediate')
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => storage.commit(creation(`lob_${n}`))))
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    expect(lines).toHaveLength(1)
    other.close()
    await storage.close()
  }))

test('a full disk refuses whole commits, keeps reading, and works again once there is room', () =>
  withFolder(async (folder) => {
    let db: Database | undefined
    const store = new Store(
      { path: join(folder, 'store.db') },
      {
        open(options) {
          const connection = openConnection(options)
          db = connection.db
          return connection
        },
      },
    )
    const storage = storageOver(store)
    await storage.migrate()
    expect(await storage.commit(creation('lob_first'))).toEqual({ ok: true })
    const pages = Number(db?.pragma('page_count', { simple: true }))
    db?.pragma(`max_page_count = ${pages + 20}`)

    const large = { text: 'x'.repeat(10_000) }
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => storage.commit(creation(`lob_${n}`, { settings: large }))),
    )
    for (const answer of answers) {
      expect(answer.status).toBe('rejected')
      if (answer.status === 'rejected') expect(String(answer.reason)).toMatch(/the disk is full \(SQLITE_FULL\)/)
    }
    expect(db?.prepare('select count(*) from lobby').pluck().get()).toBe(1)
    expect(await storage.counters.read('lobbies')).toBe(1)
    expect((await storage.get('lobby', 'lob_first'))?.id).toBe('lob_first')

    db?.pragma('max_page_count = 1000000')
    expect(await storage.commit(creation('lob_0', { settings: large }))).toEqual({ ok: true })
    expect(await storage.counters.read('lobbies')).toBe(2)
    expect(db?.pragma('integrity_check', { simple: true })).toBe('ok')
    await storage.close()
  }))

test('what is refused is logged once, in the same line', () =>
  withFolder(async (folder) => {
    const lines: string[] = []
    const log = (message: string) => void lines.push(message)
    const path = join(folder, 'store.db')
    await copyFile(new URL(import.meta.url).pathname, path)
    const storage = sqliteStorage({ path, logger: { debug: log, info: log, warn: log, error: log } })
    expect(lines).toEqual([])
    expect([await refusal(storage.migrate())]).toEqual(lines)
    await storage.close()
  }))

test('a bug is not disguised as an outage', () => {
  const bug = new TypeError('undefined is not a function')
  expect(asUnavailable(bug, 'store.db')).toBe(bug)
  const constraint = new SqliteDatabase.SqliteError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE')
  expect(asUnavailable(constraint, 'store.db')).toBe(constraint)
})
