import { execFileSync } from 'node:child_process'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { OutcomeUnknown, type Signal, StorageUnavailable } from '@matchyard/core/ports'
import { claimJobs } from '@matchyard/testkit/storage'
import { expect, test } from 'vitest'
import { type Connection, openConnection } from '../src/connection'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { checkpoint } from '../src/log/log-marks'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { HeldDisk, turn } from './support/held-disk'
import { creation } from './support/lobbies'

const LOG_HEADER = 32
const FRAME = 24 + 4_096

async function onHeldDisk(path: string) {
  const disk = new HeldDisk()
  let connection: Connection | undefined
  const open = (...how: Parameters<typeof openConnection>) => {
    connection = openConnection(...how)
    return connection
  }
  const store = new Store({ path }, { open, openLogSync: disk.open })
  const storage = storageOver(store)
  await storage.migrate()
  disk.length = () => LOG_HEADER + (connection === undefined ? 0 : checkpoint(connection.db, 'noop').log) * FRAME
  disk.kept = disk.length()
  return { disk, store, storage }
}

test('what is not yet on the disk is neither acknowledged nor shown, and reads go on meanwhile', () =>
  withFolder(async (folder) => {
    const { disk, storage } = await onHeldDisk(join(folder, 'store.db'))
    const told: Signal[] = []
    storage.subscribe((signal) => told.push(signal))
    const first = storage.commit(creation('lob_first'))
    await turn()
    disk.release()
    await first
    told.length = 0

    let acknowledged = false
    const second = storage.commit(creation('lob_second')).then(() => {
      acknowledged = true
    })
    await turn()
    expect(disk.waiting).toBe(1)
    expect(await storage.get('lobby', 'lob_second')).toBeUndefined()
    expect(await storage.commits.find('commit of lob_second')).toBe(false)
    expect(await storage.counters.read('lobbies')).toBe(1)
    expect((await storage.get('lobby', 'lob_first'))?.id).toBe('lob_first')
    expect([acknowledged, told]).toEqual([false, []])

    disk.release()
    await second
    expect(told.length).toBeGreaterThan(0)
    expect((await storage.get('lobby', 'lob_second'))?.id).toBe('lob_second')
    await storage.close()
  }))

test('what changes nothing waits for no disk', () =>
  withFolder(async (folder) => {
    const { disk, storage } = await onHeldDisk(join(folder, 'store.db'))
    expect(await claimJobs(storage, { now: 1 })).toEqual([])
    expect(disk.waiting).toBe(0)
    await storage.close()
  }))

test('power cuts at forty moments: all that was acknowledged or shown is there, whole', { timeout: 60_000 }, () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const { disk, store, storage } = await onHeldDisk(path)
    const known = new Set<string>()
    for (let moment = 0; moment < 40; moment++) {
      const pending = Array.from({ length: 1 + (moment % 7) }, (_, n) => {
        const id = `lob_${moment}_${n}`
        return storage.commit(creation(id)).then(() => known.add(id))
      })
      await turn()
      if (moment % 3 !== 0) {
        disk.release()
        await Promise.all(pending)
      }
      const shown = await storage.getMany('lobby', [...known, `lob_${moment}_0`])
      for (const { id } of shown) known.add(id)

      // Another process copies the file, because closing a database file in this process would release SQLite's locks
      // on it.
      const copy = join(folder, `cut-${moment}.db`)
      execFileSync('cp', [path, copy])
      execFileSync('cp', [`${path}-wal`, `${copy}-wal`])
      await truncate(`${copy}-wal`, disk.kept)
      const after = sqliteStorage({ path: copy })
      await after.migrate()
      expect(await after.getMany('lobby', [...known])).toHaveLength(known.size)
      expect(await after.counters.read('lobbies')).toBe(known.size)
      await after.close()
      const raw = new SqliteDatabase(copy, { readonly: true })
      expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
      raw.close()

      disk.release()
      await Promise.all(pending)
      if (moment % 10 === 9) {
        const copying = store.checkpoint()
        const release = setInterval(() => disk.release(), 1)
        await copying
        clearInterval(release)
        // The checkpoint thread has synced its own writes.
        disk.kept = disk.length()
      }
    }
    await storage.close()
  }),
)

test('a sync that fails leaves a commit unknown, and the file opened anew says how it ended', () =>
  withFolder(async (folder) => {
    const { disk, store, storage } = await onHeldDisk(join(folder, 'store.db'))
    const commit = storage.commit(creation('lob_a')).catch((error: unknown) => error)
    const lease = storage.leases.acquire('director', 'node', 1, 10).catch((error: unknown) => error)
    await turn()
    const waiting = storage.commit(creation('lob_b'))
    disk.fail(new SqliteDatabase.SqliteError('fdatasync', 'SQLITE_IOERR_FSYNC'))
    expect(await commit).toBeInstanceOf(OutcomeUnknown)
    expect(await lease).toBeInstanceOf(StorageUnavailable)
    // The failed commit was in the log, which was applied when the file was opened again. A caller must check for
    // itself whether its commit was applied.
    expect(await storage.commits.find('commit of lob_a')).toBe(true)
    expect(store.othersWrote()).toBe(true)
    await turn()
    disk.release()
    expect(await waiting).toEqual({ ok: true })
    expect(await storage.counters.read('lobbies')).toBe(2)
    await storage.close()
  }))
