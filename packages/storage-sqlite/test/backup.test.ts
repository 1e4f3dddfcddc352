import { join } from 'node:path'
import { StorageUnavailable } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { backupSqlite, sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { withFolder } from '../src/testing/harness'
import { creation } from './support/lobbies'

test('a backup taken while commits arrive is one instant of the file, and opens as a store', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path, synchronous: 'normal' })
    await storage.migrate()
    await Promise.all(Array.from({ length: 2_000 }, (_, n) => storage.commit(creation(`lob_${n}`))))

    let written = 2_000
    let going = true
    const writing = (async () => {
      while (going) await storage.commit(creation(`lob_${written++}`))
    })()
    const target = join(folder, 'copy.db')
    await backupSqlite(path, target)
    await backupSqlite(path, target)
    going = false
    await writing
    await storage.close()

    const raw = new SqliteDatabase(target, { readonly: true })
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
    const count = Number(raw.prepare('select count(*) from lobby').pluck().get())
    raw.close()
    expect(count).toBeGreaterThanOrEqual(2_000)

    const copy = sqliteStorage({ path: target })
    await copy.migrate()
    // The counter of the copy must belong to the same commits as its rows.
    expect(await copy.counters.read('lobbies')).toBe(count)
    expect(await copy.commit(creation('lob_new'))).toEqual({ ok: true })
    await copy.close()
  }))

test('a backup of a file that is not there is refused and makes none', () =>
  withFolder(async (folder) => {
    const missing = join(folder, 'none.db')
    await expect(backupSqlite(missing, join(folder, 'copy.db'))).rejects.toThrow(StorageUnavailable)
    await expect(backupSqlite(missing, join(folder, 'copy.db'))).rejects.toThrow('cannot be opened')
  }))
