import type { Lobby } from '@matchyard/core'
import { MINUTE_MS } from '@matchyard/core/domain'
import { StorageUnavailable } from '@matchyard/core/ports'
import { aJob, claimJobs } from '@matchyard/testkit/storage'
import { expect, inject, test } from 'vitest'
import { correctPostgresClock } from '../src/index'
import { aLobby, change, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')
const NOW = 1_700_000_000_000
const AHEAD = NOW + 40 * 24 * 60 * MINUTE_MS

test('what a clock that was ahead has stamped is brought back, and what was right stays as it was', async () => {
  const { schema, migrated } = aStore(url)
  const storage = await migrated()
  const right = aLobby({ createdAt: NOW - 5, updatedAt: NOW - 5 })
  const wrong: Lobby = aLobby({
    createdAt: AHEAD,
    updatedAt: AHEAD,
    players: [{ playerId: 'ann', joinedAt: AHEAD, state: {} }],
  })
  await storage.commit(change({ at: NOW - 5, writes: putLobby(right).writes }))
  const jobs = [aJob('a', { runAt: AHEAD - 1 }), aJob('b', { runAt: AHEAD + MINUTE_MS })]
  await storage.commit(change({ at: AHEAD, writes: putLobby(wrong).writes, jobs }))
  await storage.presence.touch([{ scope: 'lob', member: 'ann', at: AHEAD }])
  await storage.leases.acquire('director', 'gone', AHEAD, MINUTE_MS)
  await claimJobs(storage, { now: AHEAD, limit: 1, leaseMs: MINUTE_MS })

  const options = { url, schema, applicationName: schema }
  const beside = correctPostgresClock(options, NOW)
  await expect(beside).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(beside).rejects.toThrow(/connections of other nodes are open: stop them first$/)
  await storage.close()
  expect(await correctPostgresClock(options, NOW)).toBe(AHEAD)
  expect(await correctPostgresClock(options, NOW)).toBeUndefined()

  const again = await migrated()
  expect(await again.newestInstant()).toBe(NOW)
  expect(await again.get('lobby', right.id)).toEqual(right)
  const players = [{ playerId: 'ann', joinedAt: NOW, state: {} }]
  expect(await again.get('lobby', wrong.id)).toEqual({ ...wrong, createdAt: NOW, updatedAt: NOW, players })
  expect(await again.presence.read('lob')).toEqual([{ member: 'ann', at: NOW }])
  expect(await again.leases.acquire('director', 'here', NOW, MINUTE_MS)).toBe(true)
  expect((await claimJobs(again, { now: NOW, limit: 10, leaseMs: MINUTE_MS })).map(({ id }) => id)).toEqual(['a'])
  expect(await again.jobs.agenda(['work'], NOW)).toEqual([{ kind: 'work', isDue: false, nextAt: NOW + MINUTE_MS }])
  const later = { ...wrong, createdAt: NOW, updatedAt: NOW, players, version: 2 }
  const write = { kind: 'lobby' as const, id: wrong.id, expected: 1, put: later }
  expect(await again.commit(change({ at: NOW + 1, writes: [write] }))).toEqual({ ok: true })
})
