import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { GATHER_MS, GroupCommit } from '../src/commit/group-commit'
import {
  MAX_GROUP,
  MAX_GROUP_TEXT,
  MAX_WAIT_MS,
  MAX_WAITING,
  MAX_WAITING_TEXT,
  URGENT_PLACES,
} from '../src/commit/waiting-operations'
import { SqliteDatabase } from '../src/library'

describe('group commit', () => {
  let db: Database
  let writer: GroupCommit
  /** Number of operations in each COMMIT. */
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
        settle: () => undefined,
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

  test('draining runs what waits', async () => {
    void Promise.all(upTo(MAX_GROUP + 1).map(add))
    await writer.drain()
    expect(groups).toEqual([MAX_GROUP, 1])
  })
})

describe('group commit on a disk that takes its time', () => {
  let writer: GroupCommit
  /** Committed groups, each as the values of its operations. */
  let groups: string[][]
  let syncs: { resolve(): void; reject(error: Error): void }[]

  beforeEach(() => {
    groups = []
    syncs = []
    let group: string[] = []
    writer = new GroupCommit(
      () => ({
        begin() {
          group = current = []
        },
        commit: () => void groups.push(group),
        rollback: () => {},
        settle: () => new Promise<void>((resolve, reject) => void syncs.push({ resolve, reject })),
      }),
      (error) => new Error('translated', { cause: error }),
    )
  })
  let current: string[] = []

  // All operations must end with their test: one that still waits would be refused five seconds later, while another
  // test file runs.
  afterEach(async () => {
    const drained = writer.drain()
    const release = setInterval(() => syncs.splice(0).map(({ resolve }) => resolve()), 0)
    await drained
    clearInterval(release)
  })

  const put = (name: string, options = {}) => writer.submit(() => void current.push(name), options)
  const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
  const outcomes = (answers: Promise<unknown>[]) =>
    Promise.allSettled(answers).then((all) => all.map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason)))

  test('what arrives while a group is on its way gathers, and is the next group', async () => {
    const first = put('a')
    await turn()
    const others = ['b', 'c', 'd'].map((name) => put(name))
    await turn()
    expect(groups).toEqual([['a']])
    syncs[0]?.resolve()
    await first
    await turn()
    await turn()
    expect(groups).toEqual([['a'], ['b', 'c', 'd']])
    syncs[1]?.resolve()
    expect(await outcomes(others)).toEqual(['ok', 'ok', 'ok'])
  })

  test('a group gathers while operations arrive, turn after turn, for a few milliseconds at most', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const answers = [put('a'), put('b')]
    for (const name of ['c', 'd']) {
      await oneTurn()
      expect(groups).toEqual([])
      answers.push(put(name))
    }
    now.mockReturnValue(GATHER_MS)
    answers.push(put('e'))
    await turn()
    expect(groups).toEqual([['a', 'b', 'c', 'd', 'e']])
    syncs[0]?.resolve()
    await outcomes(answers)
  })

  test('nobody is answered before the group is on the disk', async () => {
    let answered = false
    const answer = put('a').then(() => {
      answered = true
    })
    await turn()
    expect([groups.length, answered]).toEqual([1, false])
    syncs[0]?.resolve()
    await answer
  })

  test('a sync that fails leaves the group unknown, each in its own words, and the next group goes on', async () => {
    const answers = [put('a', { unknown: () => 'nobody knows a' }), put('b')]
    await turn()
    const next = put('c')
    syncs[0]?.reject(new Error('the disk fails'))
    expect(await outcomes(answers)).toEqual(['nobody knows a', new Error('translated')])
    await turn()
    syncs[1]?.resolve()
    await next
  })

  test('more than may wait is refused at once, and is not applied', async () => {
    const first = put('first')
    await turn()
    const waiting = Array.from({ length: MAX_WAITING }, (_, n) => put(`${n}`))
    await expect(put('one too many')).rejects.toThrow(StorageUnavailable)
    // Urgent operations have places of their own in the queue, and their number is bounded too.
    const urgent = Array.from({ length: URGENT_PLACES }, () => put('urgent', { urgent: true }))
    await expect(put('urgent, and one too many', { urgent: true })).rejects.toThrow(StorageUnavailable)
    const drained = writer.drain()
    const release = setInterval(() => syncs.splice(0).map(({ resolve }) => resolve()), 0)
    await Promise.all([first, drained, ...waiting, ...urgent])
    clearInterval(release)
    expect(groups.flat()).toHaveLength(1 + MAX_WAITING + URGENT_PLACES)
    expect(groups.flat().filter((name) => name.includes('too many'))).toEqual([])
  })

  test('more text than may wait is refused at once, however few operations hold it; one alone never is', async () => {
    void put('first')
    await turn()
    void put('huge', { text: 2 * MAX_WAITING_TEXT })
    await expect(put('small', { text: 1 })).rejects.toThrow(/too much waits for the disk/)
    syncs[0]?.resolve()
    await turn()
    await turn()
    expect(groups).toEqual([['first'], ['huge']])
    void put('small', { text: 1 })
    syncs[1]?.resolve()
    await turn()
    await turn()
    expect(groups.at(-1)).toEqual(['small'])
  })

  test('a group has a limit of text too', async () => {
    for (const name of ['a', 'b', 'c']) void put(name, { text: MAX_GROUP_TEXT / 2 })
    await turn()
    expect(groups).toEqual([['a', 'b']])
  })

  test('what has waited for too long is refused, and is not applied', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      void put('first')
      await turn()
      const late = put('late').catch((error: unknown) => error)
      vi.advanceTimersByTime(MAX_WAIT_MS - 1)
      const young = put('young')
      vi.advanceTimersByTime(1)
      expect(await late).toBeInstanceOf(StorageUnavailable)
      syncs[0]?.resolve()
      await turn()
      expect(groups).toEqual([['first'], ['young']])
      syncs[1]?.resolve()
      await young
    } finally {
      vi.useRealTimers()
    }
  })

  test('who is alone runs between two groups, with nothing on its way', async () => {
    const seen: string[] = []
    void put('a').then(() => seen.push('a'))
    await turn()
    let over = () => {}
    const alone = writer.alone(async () => {
      seen.push('alone')
      await new Promise<void>((resolve) => {
        over = resolve
      })
    })
    void put('b')
    await turn()
    expect(seen).toEqual([])
    syncs[0]?.resolve()
    await turn()
    await turn()
    expect([seen, groups]).toEqual([['a', 'alone'], [['a']]])
    over()
    await alone
    await turn()
    expect(groups).toEqual([['a'], ['b']])
  })
})
