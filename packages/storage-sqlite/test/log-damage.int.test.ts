import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptLostLog, backupSqlite, inspectSqlite, sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { logDamage } from '../src/log/log-damage'
import { readLog } from '../src/log/log-frames'
import { noteOf, readNote } from '../src/log/synced-note'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { creation } from './support/lobbies'

const HEADER = 32
const FRAME = 24 + 4_096
const LOBBIES = 12

/**
 * Returns a file as a killed service leaves it. The log contains several lobbies, one commit each, over frames of an
 * earlier, longer log.
 */
async function killed(folder: string): Promise<string> {
  const [path, copy] = [join(folder, 'store.db'), join(folder, 'killed.db')]
  const store = new Store({ path })
  const storage = storageOver(store)
  await storage.migrate()
  for (let n = 0; n < 40; n++) await storage.commit(creation(`lob_old_${n}`))
  await store.checkpoint()
  for (let n = 0; n < LOBBIES; n++) await storage.commit(creation(`lob_${n}`))
  // Another process copies the files, because closing a database file in this process would release SQLite's locks on
  // it.
  for (const rest of ['', '-wal', '-synced']) execFileSync('cp', [`${path}${rest}`, `${copy}${rest}`])
  await storage.close()
  return copy
}

/** Returns another copy of the file, with the given log. */
function withLog(path: string, log: Uint8Array, note: 'noted' | 'unnoted'): string {
  const other = `${path}.other`
  for (const rest of ['-shm', '-synced', '.lock']) rmSync(`${other}${rest}`, { force: true })
  copyFileSync(path, other)
  writeFileSync(`${other}-wal`, log)
  if (note === 'noted') copyFileSync(noteOf(path), noteOf(other))
  return other
}

function lobbiesIn(path: string): number {
  const db = new SqliteDatabase(path, { readonly: true })
  try {
    return db.prepare<[], number>("select count(*) from lobby where id not like 'lob_old%'").pluck().get() ?? 0
  } finally {
    db.close()
  }
}

/** Returns the last frame of each transaction of the newest log. */
const endsOf = (path: string): number[] =>
  readLog(`${path}-wal`, ({ salts }, frames) =>
    [...frames].filter((frame) => frame.salts === salts && frame.isCommit).map(({ number }) => number),
  ) ?? []

function flipped(log: Buffer, bit: number): Buffer {
  const other = Buffer.from(log)
  other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return other
}

test('one turned bit anywhere in what was synced is refused; where nothing is lost by it the file opens without a word', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    const log = readFileSync(`${path}-wal`)
    const synced = HEADER + FRAME * (endsOf(path).at(-1) ?? 0)
    expect(readNote(path)?.frames).toBe(endsOf(path).at(-1))
    expect(log.length).toBeGreaterThan(synced + FRAME)
    const places = fc.oneof(fc.nat(8 * synced - 1), fc.nat(8 * HEADER - 1), fc.nat(8 * log.length - 1))
    fc.assert(
      fc.property(places, (bit) => {
        const other = withLog(path, flipped(log, bit), 'noted')
        const damage = logDamage(other)
        const isLost = lobbiesIn(other) < LOBBIES
        expect(damage !== undefined).toBe(isLost)
        if (isLost) expect(damage).toMatch(/has lost acknowledged commits: .*--accept-lost-log/)
      }),
      { numRuns: Number(process.env.MATCHYARD_PROVE ?? 150) },
    )
  }))

test('without a note a turned bit is refused where two transactions come after the one that it is in', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    const log = readFileSync(`${path}-wal`)
    const seen = HEADER + FRAME * (endsOf(path).at(-3) ?? 0)
    fc.assert(
      fc.property(fc.integer({ min: 8 * HEADER, max: 8 * seen - 1 }), (bit) => {
        expect(logDamage(withLog(path, flipped(log, bit), 'unnoted'))).toMatch(/page \d+ is damaged/)
      }),
      { numRuns: 100 },
    )
    for (let bit = 0; bit < 8 * HEADER; bit += 7) {
      expect(logDamage(withLog(path, flipped(log, bit), 'unnoted'))).toMatch(/its header is damaged/)
    }
  }))

test('garbage in the middle, and a log that was cut off, are refused', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    const log = readFileSync(`${path}-wal`)
    const ends = endsOf(path)
    const garbage = Buffer.from(log).fill(0x5a, HEADER + FRAME * 2 + 100, HEADER + FRAME * 4)
    for (const note of ['noted', 'unnoted'] as const) {
      expect(logDamage(withLog(path, garbage, note))).toMatch(
        /page 3 is damaged, and of at least \d+ pages \d+ can be read/,
      )
    }
    const cut = log.subarray(0, HEADER + FRAME * (ends.at(-2) ?? 0))
    expect(logDamage(withLog(path, cut, 'noted'))).toMatch(/it is cut off/)
    // Without the note about synced frames, a shortened log does not show that frames are missing.
    expect(logDamage(withLog(path, cut, 'unnoted'))).toBeUndefined()
  }))

test('no state that a crash may leave is refused: a last transaction of which any sectors were written, over whatever was there', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    const log = readFileSync(`${path}-wal`)
    const ends = endsOf(path)
    const SECTOR = 512
    const states = fc.record({
      last: fc.integer({ min: 1, max: ends.length - 1 }),
      before: fc.constantFrom('zeros', 'an earlier log', 'nothing'),
      written: fc.infiniteStream(fc.boolean()),
    })
    fc.assert(
      fc.property(states, ({ last, before, written }) => {
        const [from, to] = [HEADER + FRAME * (ends[last - 1] ?? 0), HEADER + FRAME * (ends[last] ?? 0)]
        const state = Buffer.from(log)
        // The frames after the newest log belong to an earlier log.
        const old = log.subarray(HEADER + FRAME * (ends.at(-1) ?? 0))
        if (before === 'an earlier log') for (let at = from; at < state.length; at += old.length) old.copy(state, at)
        else state.fill(0, from)
        for (let at = from; at < to; at += SECTOR - (at % SECTOR)) {
          if (written.next().value) log.copy(state, at, at, Math.min(to, at + SECTOR - (at % SECTOR)))
        }
        const other = withLog(path, before === 'nothing' ? state.subarray(0, to) : state, 'unnoted')
        expect(logDamage(other)).toBeUndefined()
        writeFileSync(
          noteOf(other),
          readFileSync(noteOf(path), 'latin1').replace(/ \d+/, ` ${String(ends[last - 1]).padStart(12, '0')}`),
        )
        expect(logDamage(other)).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  }))

test('a damaged log is refused by a start, an inspection, a backup and whoever writes beside, and is as it was after each', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    const log = flipped(readFileSync(`${path}-wal`), 8 * (HEADER + FRAME + 500))
    const other = withLog(path, log, 'noted')
    const storage = sqliteStorage({ path: other })
    await expect(storage.migrate()).rejects.toThrow(/has lost acknowledged commits/)
    await storage.close()
    expect(() => inspectSqlite(other)).toThrow(/has lost acknowledged commits/)
    await expect(backupSqlite(other, join(folder, 'backup.db'))).rejects.toThrow(/has lost acknowledged commits/)
    const beside = sqliteStorage({ path: other, beside: true })
    await expect(beside.commit(creation('lob_a'))).rejects.toThrow(/has lost acknowledged commits/)
    await beside.close()
    expect(readFileSync(`${other}-wal`).equals(log)).toBe(true)

    acceptLostLog(other)
    const again = sqliteStorage({ path: other })
    await again.migrate()
    expect(await again.get('lobby', 'lob_0')).toBeUndefined()
    expect(await again.commit(creation('lob_0'))).toEqual({ ok: true })
    await again.close()
  }))

test('the note is no longer than a line, however long a service runs', () =>
  withFolder(async (folder) => {
    const path = await killed(folder)
    expect(statSync(noteOf(path)).size).toBe(30)
  }))
