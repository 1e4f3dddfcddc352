import type { Database } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { LogBeginning } from '../src/log/log-beginning'

test('a write within a second after a failed try throws the error of that try, and does not try again', () => {
  let now = 0
  let tries = 0
  const log = new LogBeginning({ now: () => now, report: () => {} })
  const db = {
    exec() {
      throw new Error(`try ${++tries}`)
    },
  } as unknown as Database
  const opened = { db, file: '/nonexistent/store.db' }
  expect(() => log.requireBegun(opened)).toThrow('try 1')
  now = 999
  expect(() => log.requireBegun(opened)).toThrow('try 1')
  now = 1_000
  expect(() => log.requireBegun(opened)).toThrow('try 2')
})
