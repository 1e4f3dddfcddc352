import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { afterEach, expect, it } from 'vitest'
import { SqliteDatabase as Database } from '../src/library'
import { MIGRATIONS } from '../src/migrations/index'
import { entityStatements, UPDATES_KEPT } from '../src/statements/entities'

/** How many migrations a file had seen before the id of arrivals was their place. */
const BEFORE = 15
const APPLICATION_ID = 0x4d595244

const directory = mkdtempSync(join(tmpdir(), 'matchyard-arrivals-'))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('arrivals from before are told in their order, with all that they held, and new ones after them', async () => {
  const path = join(directory, 'matchyard.db')
  const before = new Database(path)
  for (const { sql } of MIGRATIONS.slice(0, BEFORE)) before.exec(sql)
  before.pragma(`application_id = ${APPLICATION_ID}`)
  before.pragma(`user_version = ${BEFORE}`)
  const arrival = {
    ...{ id: 'arr_x', lobbyId: 'lob_a', enteredAt: 900, outcome: 'matched', matchId: 'mat_a', region: null },
    players: [{ playerId: 'ann "the , fox" é', state: { mmr: 1_500.5 } }],
  }
  const insert = before.prepare('insert into arrivals values (?, ?, ?, ?, ?, ?)')
  for (const [id, queueKey, leftAt] of [
    ['arr_b', 'p/q', 2_000],
    ['arr_a', 'p/q', 2_000],
    ['arr_c', 'p/q', 1_000],
    ['arr_d', 'p/r', 5],
  ] as const) {
    const batch = { id, version: 2, projectId: 'p', queueKey, leftAt, arrivals: [arrival] }
    insert.run(id, 2, queueKey, leftAt, 1, JSON.stringify(batch))
  }
  before.close()

  const storage = sqliteStorage({ path })
  try {
    await storage.migrate()
    const list = (queueKey: string) => storage.arrivals.list({ queueKey, since: 0, limit: 9, maxBytes: 1e6 })
    const place = (leftAt: number, name: string) => `p/q/${String(leftAt).padStart(15, '0')}/${name}`
    const kept = { version: 2, arrivals: [arrival] }
    expect(await list('p/q')).toEqual([
      { id: place(1_000, 'arr_c'), leftAt: 1_000, ...kept },
      { id: place(2_000, 'arr_a'), leftAt: 2_000, ...kept },
      { id: place(2_000, 'arr_b'), leftAt: 2_000, ...kept },
    ])
    expect(await list('p/r')).toHaveLength(1)
    const put = { id: place(2_000, 'arr_aa'), version: 1, leftAt: 2_000, arrivals: [] }
    const write = { kind: 'arrivals', id: put.id, expected: 'absent', put } as const
    await storage.commit({ id: 'cmt', at: 2_000, checks: [], writes: [write], counters: [], events: [], jobs: [] })
    expect((await list('p/q')).map(({ id }) => id.slice(-6))).toEqual(['/arr_c', '/arr_a', 'arr_aa', '/arr_b'])
  } finally {
    await storage.close()
  }
})

it('statements for the sets of columns that change are as many as are kept, those that were wanted last', () => {
  const db = new Database(':memory:')
  for (const { sql } of MIGRATIONS) db.exec(sql)
  const { update } = entityStatements(db).server
  const first = update([0])
  for (let place = 1; place < UPDATES_KEPT; place++) expect(update([place % 13, 13])).not.toBe(first)
  expect(update([0])).toBe(first)
  const second = update([1, 13])
  update([2, 3, 4])
  expect(update([0])).toBe(first)
  expect(update([1, 13])).toBe(second)
  expect(update([2, 13])).toBe(update([2, 13]))
  db.close()
})
