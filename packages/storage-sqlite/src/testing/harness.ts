import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntityKind } from '@matchyard/core/ports'
import type { StorageBackDoor, StorageHarness } from '@matchyard/testkit/storage'
import { SqliteDatabase } from '../library'
import type { SqliteStorageOptions } from '../options'
import { sqliteStorage } from '../sqlite-storage'

/** Runs `body` with a new folder, which is removed afterwards. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-sqlite-'))
  try {
    return await body(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Reads the file without the adapter. For each question of a test, it opens the file anew and uses statements of its
 * own.
 */
function backDoorOf(path: string): StorageBackDoor {
  const rows = async <T>(sql: string, ...parameters: string[]): Promise<T[]> => {
    const db = new SqliteDatabase(path, { readonly: true })
    try {
      return db.prepare<string[], T>(sql).all(...parameters)
    } finally {
      db.close()
    }
  }
  const tableOf = (kind: EntityKind) => kind.replace('-', '_')
  return {
    entities: async (kind) => {
      const stored = await rows<{ id: string; version: number; body: string }>(`select * from ${tableOf(kind)}`)
      return stored.map(({ id, version, body }) => ({ id, version, value: JSON.parse(body) }))
    },
    uniqueKeys: () => rows('select key, kind, id from unique_key'),
    counters: () => rows('select id, value from counter'),
    events: (lobbyId) => rows('select version, name from stream_event where lobby_id = ?', lobbyId),
    jobs: async () => {
      const stored = await rows<{ id: string; kind: string; run_at: number; tenant: string; payload: string }>(
        'select * from job',
      )
      return stored.map(({ id, kind, run_at, tenant, payload }) => ({
        id,
        kind,
        runAt: run_at,
        tenant,
        payload: JSON.parse(payload),
      }))
    },
  }
}

/** Harness of the storage suite: each test case has its own file and one handle, because one service owns the file. */
export const sqliteHarness = (options: Omit<SqliteStorageOptions, 'path'> = {}): StorageHarness => ({
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'matchyard-sqlite-'))
    const path = join(folder, 'store.db')
    const open = async () => {
      const storage = sqliteStorage({ path, ...options })
      await storage.migrate()
      return storage
    }
    let current = await open()
    const first = current
    return {
      storage: first,
      backDoor: backDoorOf(path),
      another: async () => current,
      async reopen() {
        await current.close()
        current = await open()
        return current
      },
      async holdOpen(commit, during) {
        await during()
        return first.commit(commit)
      },
      async goBack(during) {
        await current.close()
        await cp(path, `${path}.copy`)
        current = await open()
        await during()
        await current.close()
        for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true })
        await cp(`${path}.copy`, path)
        current = await open()
        return current
      },
      async dispose() {
        await current.close()
        await rm(folder, { recursive: true })
      },
    }
  },
})
