import type { JsonObject, RecordedArrival } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { service } from './service'

const SECOND = 1_000
const DAY = 86_400 * SECOND

async function duel(matchmaking = {}) {
  const commits: Commit[] = []
  const given = await service((storage) => ({
    commit: async (commit) => {
      const result = await storage.commit(commit)
      if (result.ok) commits.push(commit)
      return result
    },
  }))
  const { matchyard, projectId, clock } = given
  const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 100 }]
  const queueId = 'duel'
  await matchyard.queues.create({ projectId, queueId, name: 'Duel', matchmaking: { rules, ...matchmaking } })
  const enter = async (playerId: string, state: JsonObject) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId, state })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    return lobbyId
  }
  const settle = async () => {
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
    await matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
  }
  const arrivals = async (query: { since?: number; limit?: number } = {}) => {
    const all: RecordedArrival[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await matchyard.queues.arrivals({ projectId, queueId, limit: 1_000, ...query, cursor })
      expect(page.data.length).toBeLessThanOrEqual(query.limit ?? 1_000)
      all.push(...page.data)
      if (page.nextCursor === null) return all
      cursor = page.nextCursor
    }
  }
  return { ...given, commits, enter, settle, pass, arrivals }
}

describe('recorded arrivals', () => {
  it('tell each stay with its end: matched, cancelled, timed out, left, deleted, and those that go on', async () => {
    const { enter, pass, arrivals, matchyard, projectId } = await duel()
    const [ann, bob] = [await enter('ann', { mmr: 1_500 }), await enter('bob', { mmr: 1_550 })]
    await pass(4 * SECOND)
    const cid = await enter('cid', { mmr: 1 })
    await matchyard.lobbies.cancelMatchmaking({ projectId, lobbyId: cid, playerId: 'cid' })
    const dee = await enter('dee', { mmr: 1 })
    await matchyard.lobbies.leave({ projectId, lobbyId: dee, playerId: 'dee' })
    const eve = await enter('eve', { mmr: 1 })
    await matchyard.lobbies.delete({ projectId, lobbyId: eve, backend: true })
    const fay = await enter('fay', { mmr: 1 })
    await pass(300 * SECOND)
    const gus = await enter('gus', { mmr: 5_000 })
    const told = await arrivals()
    expect(told.map(({ lobbyId, outcome, waitSeconds }) => [lobbyId, outcome, waitSeconds])).toEqual([
      [ann, 'matched', 4],
      [bob, 'matched', 4],
      [cid, 'cancelled', 0],
      [dee, 'player_left', 0],
      [eve, 'deleted', 0],
      [fay, 'timeout', 300],
      [gus, null, null],
    ])
    const [first, , third] = told
    const { matchId } = await matchyard.lobbies.get({ projectId, lobbyId: ann, backend: true })
    expect([first?.matchId, third?.matchId, told.at(-1)?.leftAt]).toEqual([matchId, null, null])
    expect(new Set(told.map(({ id }) => id)).size).toBe(7)
  })

  it('cost one row a commit that ends somebody’s stay, and nothing where none ends', async () => {
    const { enter, pass, commits } = await duel({ teams: 2, playersPerTeam: 2 })
    for (const name of ['ann', 'bob', 'cid', 'dee']) await enter(name, { mmr: 1_500 })
    const writes = (commit: Commit) => commit.writes.filter(({ kind }) => kind === 'arrivals')
    expect(commits.flatMap(writes)).toEqual([])
    await pass(SECOND)
    const rows = commits.flatMap(writes).flatMap((write) => ('put' in write ? [write.put] : []))
    expect(rows).toMatchObject([{ arrivals: [{}, {}, {}, {}] }])
  })

  it('hold of a state what the rules read, and nothing that is long', async () => {
    const { enter, pass, arrivals } = await duel({
      rules: [
        { type: 'difference', field: 'mmr', maxDifference: 100 },
        { type: 'region' },
        { type: 'equals', field: 'mode' },
      ],
    })
    await enter('ann', { mmr: 1_500, regions: ['fra'], secret: 'x', mode: 'm'.repeat(1_025) })
    await enter('bob', { mmr: 1_500, regions: ['fra', 'iad'], secret: 'x', mode: 'm'.repeat(1_025) })
    await enter('cid', { mmr: 9_000, regions: Array.from({ length: 300 }, () => 'fra'), mode: 'm'.repeat(1_024) })
    await pass(SECOND)
    expect((await arrivals()).map(({ players }) => players)).toEqual([
      [{ playerId: 'ann', state: { mmr: 1_500, regions: ['fra'] } }],
      [{ playerId: 'bob', state: { mmr: 1_500, regions: ['fra', 'iad'] } }],
      [{ playerId: 'cid', state: { mmr: 9_000, mode: 'm'.repeat(1_024) } }],
    ])
  })

  it('hold the first eight numbers of a state that no rule reads, and none that is private', async () => {
    const { enter, pass, arrivals, matchyard, projectId, settle } = await duel({
      rules: [
        { type: 'difference', field: 'mmr', maxDifference: 100 },
        { type: 'avoid', field: 'blocked' },
      ],
    })
    const numbers = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`n${index}`, index / 2]))
    const state = { ['x'.repeat(129)]: 1, name: 'x', list: [1], deep: { n: 1 }, blocked: ['zoe'], ...numbers }
    await enter('ann', { ...state, mmr: 1_500 })
    await enter('bob', { level: -3, mmr: 1_500 })
    await enter('cid', { level: 7, mmr: 9_000, blocked: [] })
    await pass(SECOND)
    const { n8: _, ...eight } = numbers
    const states = async () =>
      Object.fromEntries((await arrivals()).flatMap(({ players }) => players.map((one) => [one.playerId, one.state])))
    expect(await states()).toEqual({
      ann: { mmr: 1_500, ...eight },
      bob: { mmr: 1_500, level: -3 },
      cid: { mmr: 9_000, level: 7 },
    })
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    await settle()
    expect(await states()).not.toHaveProperty('ann')
  })

  it('are told in pages of any size, each once', async () => {
    const { enter, pass, arrivals, matchyard, projectId } = await duel()
    for (let pair = 0; pair < 10; pair++) {
      await enter(`a${pair}`, { mmr: 1_500 })
      await enter(`b${pair}`, { mmr: 1_500 })
      await pass(SECOND)
    }
    for (let alone = 0; alone < 5; alone++) await enter(`c${alone}`, { mmr: 10_000 * (alone + 1) })
    const all = await arrivals()
    expect(all).toHaveLength(25)
    for (const limit of [1, 2, 3, 7, 24, 25]) expect(await arrivals({ limit })).toEqual(all)
    const since = all[10]?.enteredAt ?? 0
    expect(await arrivals({ since, limit: 4 })).toEqual(all.slice(10))
    for (const limit of [0, 1_001, 1.5]) {
      await expect(matchyard.queues.arrivals({ projectId, queueId: 'duel', limit })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      })
    }
    const stolen = (await matchyard.queues.arrivals({ projectId, queueId: 'duel', limit: 1 })).nextCursor ?? ''
    await matchyard.queues.create({ projectId, queueId: 'other', name: 'Other' })
    for (const cursor of [stolen, 'x', '']) {
      await expect(matchyard.queues.arrivals({ projectId, queueId: 'other', cursor })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        detail: expect.stringContaining('cursor'),
      })
    }
  })

  it('skip nobody whose stay ends while they are read', async () => {
    const { enter, pass, matchyard, projectId } = await duel()
    await enter('ann', { mmr: 1_500 })
    await enter('zoe', { mmr: 9_000 })
    await enter('yan', { mmr: 20_000 })
    const read = (cursor?: string) => matchyard.queues.arrivals({ projectId, queueId: 'duel', limit: 1, cursor })
    const first = await read()
    expect(first.data).toMatchObject([{ outcome: null }])
    await enter('bob', { mmr: 1_500 })
    await pass(SECOND)
    const seen = new Map(first.data.map((arrival) => [arrival.lobbyId, arrival.outcome]))
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await read(cursor)
      for (const { lobbyId, outcome } of page.data) seen.set(lobbyId, outcome)
      cursor = page.nextCursor
    }
    expect([...seen.values()].sort()).toEqual(['matched', 'matched', null, null])
  })

  it('are gone after a day, and those of a player with the player', async () => {
    const { enter, pass, arrivals, matchyard, projectId, clock, settle } = await duel()
    await enter('ann', { mmr: 1_500 })
    await enter('bob', { mmr: 1_500 })
    await pass(SECOND)
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    await settle()
    expect((await arrivals()).map(({ players }) => players)).toEqual([[{ playerId: 'bob', state: { mmr: 1_500 } }]])
    clock.advance(DAY + 600 * SECOND)
    await settle()
    expect(await arrivals()).toEqual([])
  })

  it('are of a queue, not of its name: one that is made again begins anew', async () => {
    const { enter, arrivals, matchyard, projectId, clock } = await duel()
    const lobbyId = await enter('ann', { mmr: 1_500 })
    await matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
    expect(await arrivals()).toHaveLength(1)
    await matchyard.queues.delete({ projectId, queueId: 'duel' })
    clock.advance(1)
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    expect(await arrivals()).toEqual([])
  })
})
