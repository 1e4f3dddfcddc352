import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GroupCommit, MAX_GROUP } from '../src/group-commit'

describe('group commit', () => {
  let db: SqliteDatabase.Database
  let writer: GroupCommit
  /** How many operations each COMMIT took with it. */
  let groups: number[]
  let applied: number
  let failure: Error | undefined

  beforeEach(() => {
    db = new SqliteDatabase(':memory:')
    db.exec('create table item (n integer primary key)')
    groups = []
    applied = 0
    failure = undefined
    writer = new GroupCommit(
      () => ({
        begin() {
          applied = 0
          db.exec('begin immediate')
        },
        commit() {
          if (failure !== undefined) throw failure
          db.exec('commit')
          groups.push(applied)
        },
        rollback: () => db.inTransaction && db.exec('rollback'),
      }),
      (error) => new Error('translated', { cause: error }),
    )
  })
  afterEach(() => db.close())

  const add = (n: number) =>
    writer.submit(() => {
      applied++
      db.prepare('insert into item values (?)').run(n)
      return n
    })
  const items = () => db.prepare('select n from item order by n').pluck().all()
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

  test('those that arrive together share one transaction, each with its own answer', async () => {
    expect(await Promise.all(upTo(10).map(add))).toEqual(upTo(10))
    expect(groups).toEqual([10])
  })

  test('those that arrive one after the other do not wait for each other', async () => {
    for (const n of upTo(3)) await add(n)
    expect(groups).toEqual([1, 1, 1])
  })

  test('a group has a limit, and what does not fit comes next, in order', async () => {
    await Promise.all(upTo(2 * MAX_GROUP + 5).map(add))
    expect(groups).toEqual([MAX_GROUP, MAX_GROUP, 5])
    expect(items()).toHaveLength(2 * MAX_GROUP + 5)
  })

  test('nobody is answered before the COMMIT', async () => {
    const answers = [add(1), add(2)].map((answer) => answer.then(() => groups.length))
    expect(await Promise.all(answers)).toEqual([1, 1])
  })

  test('a COMMIT that fails refuses all of its group, stores none of it, and the next group goes on', async () => {
    failure = new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
    const answers = await Promise.allSettled(upTo(5).map(add))
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    expect(items()).toEqual([])
    failure = undefined
    await add(7)
    expect(items()).toEqual([7])
  })

  test('a refusal of the database inside a group refuses the group', async () => {
    const full = new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL')
    const answers = await Promise.allSettled([
      add(1),
      writer.submit(() => {
        throw full
      }),
      add(2),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(items()).toEqual([])
  })

  test('a bug in one operation fails it alone', async () => {
    const answers = await Promise.allSettled([
      add(1),
      writer.submit(() => {
        db.prepare('insert into item values (99)').run()
        throw new TypeError('a bug')
      }),
      add(2),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(items()).toEqual([1, 2])
  })

  test('draining runs what waits, now', () => {
    void Promise.all(upTo(MAX_GROUP + 1).map(add))
    writer.drain()
    expect(groups).toEqual([MAX_GROUP, 1])
  })
})
