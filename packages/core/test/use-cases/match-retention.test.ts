import { createMatchyard, type Match } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { aLobby, FakeClock, fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import { findMatch } from '../../src/match/decide'

const DAY = 86_400_000

it('ended matches are removed after their days, in slices, and running ones are kept', async () => {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const sizes: number[] = []
  const commit: typeof storage.commit = (one) => {
    const removed = one.writes.filter((write) => write.kind === 'match' && 'remove' in write).length
    if (removed > 0) sizes.push(removed)
    return storage.commit(one)
  }
  const matchyard = createMatchyard({
    ...fakePlatform({ clock }),
    storage: { ...storage, commit },
    matchRetentionDays: 1,
  })
  await matchyard.open()
  const projectId = (await matchyard.projects.ensure({ name: 'arena' })).id
  const endedAt = clock.now()
  const players = [{ playerId: 'ann', lobbyId: 'lob', role: null, state: {}, leftAt: null }]
  const of = { projectId, accountId: 'acc', queueId: 'duel', region: 'iad', gameVersion: null } as const
  const made = { lobbies: [aLobby()], teams: [{ name: 'a', players }], waits: [], serverId: null, at: 1 }
  const put = (end: number | null, n: number): Match => ({
    ...findMatch({ ...of, ...made, id: `mat_${n}` }),
    ...{ endedAt: end, status: end === null ? 'running' : 'ended' },
  })
  const matches = [...Array.from({ length: 150 }, (_, n) => put(endedAt, n)), put(endedAt + 1, 150), put(null, 151)]
  for (const match of matches) {
    const writes = [{ kind: 'match', id: match.id, expected: 'absent', put: match }] as const
    await storage.commit({ id: match.id, at: endedAt, checks: [], writes, counters: [], events: [], jobs: [] })
  }
  const left = async () => (await storage.matches.ofPlayer(projectId, 'ann', 200)).length
  clock.advance(DAY - 1)
  await matchyard.worker.runDueJobs()
  expect(await left()).toBe(152)
  clock.advance(5 * 60_000)
  await matchyard.worker.runDueJobs()
  expect(sizes).toEqual([100, 51])
  expect(await left()).toBe(1)
})

it('the days are a whole number from 1 to 3,650', () => {
  for (const matchRetentionDays of [0, 3_651, 1.5]) {
    const options = { ...fakePlatform(), storage: memoryStorage(), matchRetentionDays }
    expect(() => createMatchyard(options)).toThrow('matchRetentionDays must be a whole number from 1 to 3650')
  }
})
