import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Signal } from '@matchyard/core/ports'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspectSqlite, sqliteStorage } from '../src/index'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'matchyard-beside-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const change = (id: string, at: number) => ({
  id,
  at,
  checks: [],
  writes: [],
  counters: [{ id: 'c', add: 1 }],
  events: [],
  jobs: [],
})

test('an operator writes beside a running service, which is told to read again', async () => {
  const path = join(folder, 'a.db')
  const service = sqliteStorage({ path })
  await service.migrate()
  const told = new Promise<Signal>((resolve) => service.subscribe(resolve))
  // The first check only reads the counter of writes. The service's own writes never count as another program's.
  await service.commit(change('cmt_own', 5))
  const operator = sqliteStorage({ path, beside: true })
  const keepWriting = setInterval(() => void operator.commit(change(`cmt_${performance.now()}`, 6)), 50)
  try {
    expect(await told).toEqual({ topic: 'resync', id: '' })
  } finally {
    clearInterval(keepWriting)
  }
  expect(await service.counters.read('c')).toBeGreaterThan(1)
  await operator.close()
  await service.close()
})

test('an inspection tells schema, newest instant and holder, and changes nothing', async () => {
  const path = join(folder, 'b.db')
  expect(inspectSqlite(path)).toBeUndefined()
  const service = sqliteStorage({ path })
  await service.migrate()
  await service.commit(change('cmt_1', 1234))
  const seen = inspectSqlite(path)
  expect(seen).toMatchObject({ damage: [], newestInstant: 1234 })
  expect(seen?.schemaVersion).toBe(seen?.latestSchemaVersion)
  expect(seen?.holder).toContain(`process ${process.pid}`)
  await service.close()
  expect(inspectSqlite(path)?.holder).toBeUndefined()
})

test('an inspection refuses what is no database of ours in one line', () => {
  const path = join(folder, 'c.db')
  writeFileSync(path, 'a diary, not a database'.repeat(100))
  expect(() => inspectSqlite(path)).toThrow(/not a SQLite database/)
})
