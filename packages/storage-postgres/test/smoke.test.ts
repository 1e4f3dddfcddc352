import type { Commit } from '@matchyard/core/ports'
import { expect, inject, test } from 'vitest'
import { holdOpen } from '../src/testing/harness'
import { aLobby, change, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

test('of two commits that each check the absence of what the other puts one is refused', async () => {
  const { migrated } = aStore(url)
  const nodes = [await migrated(), await migrated()]
  for (let round = 0; round < 30; round++) {
    const pair = [aLobby(), aLobby()]
    const of = (put: (typeof pair)[number] | undefined, absent: (typeof pair)[number] | undefined): Commit => {
      if (put === undefined || absent === undefined) throw new Error('a pair has two')
      return { ...putLobby(put), checks: [{ kind: 'lobby', id: absent.id, expected: 'absent' }] }
    }
    const results = await Promise.all([nodes[0]?.commit(of(pair[0], pair[1])), nodes[1]?.commit(of(pair[1], pair[0]))])
    expect(results.filter((result) => result?.ok)).toHaveLength(1)
  }
})

test('what is only new is one statement, a transaction by itself', async () => {
  const { door, schema, migrated } = aStore(url)
  const storage = await migrated()
  const lobby = aLobby()
  const commit = change({ writes: putLobby(lobby).writes, counters: [{ id: 'n', add: 1, atMost: 1 }] })
  const running: string[] = []
  await holdOpen(door, storage, commit, async () => {
    const rows = await door.query<{ query: string }>(
      `select query from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
      [schema],
    )
    running.push(...rows.map(({ query }) => query))
  })
  // The server shows only the first kilobyte of a statement, and this statement is longer.
  expect(running).toEqual([expect.stringMatching(/^with [\s\S]*insert into lobby \([\s\S]*insert into coun/)])
  expect(await storage.counters.read('n')).toBe(1)
  // Beyond the counter's limit, the commit is written with reads first, and the reads find the conflict.
  const past = change({ writes: putLobby(aLobby()).writes, counters: [{ id: 'n', add: 1, atMost: 1 }] })
  expect(await storage.commit(past)).toEqual({ ok: false, conflict: { kind: 'counter', id: 'n', on: 'limit' } })
})
