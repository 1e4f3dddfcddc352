import { expect, it } from 'vitest'
import { SqliteDatabase as Database } from '../src/library'
import { MIGRATIONS } from '../src/migrations/index'
import { entityStatements, UPDATES_KEPT } from '../src/statements/entities'

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
