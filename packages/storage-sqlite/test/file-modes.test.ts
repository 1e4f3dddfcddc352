import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupSqlite, sqliteStorage } from '../src/index'
import { withFolder } from '../src/testing/harness'

const modesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))

test('a new file, what lies beside it and a copy of it are for their owner alone, wherever they lie', () =>
  withFolder(async (folder) => {
    // Every user may read the folder.
    chmodSync(folder, 0o755)
    const path = join(folder, 'store.db')
    const storage = sqliteStorage({ path })
    await storage.migrate()
    await backupSqlite(path, join(folder, 'copy.db'))
    const modes = modesOf(folder)
    await storage.close()
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(['store.db', 'store.db.lock', 'store.db-wal', 'copy.db']))
    expect([...new Set(Object.values(modes))]).toEqual(['600'])
  }))

test('a file that is there keeps the mode that was chosen for it', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    await first.close()
    chmodSync(path, 0o640)
    const second = sqliteStorage({ path })
    await second.migrate()
    await second.close()
    expect(modesOf(folder)['store.db']).toBe('640')
  }))
