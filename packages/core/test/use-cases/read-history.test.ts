import { FakeClock, FakeOrchestrator } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time'
import { service } from './service'

/** Returns a service in which two players were matched after 9 and 69 seconds, and a third player cancelled. */
async function played() {
  const given = await service()
  const { matchyard, projectId, clock } = given
  const matchmaking = { teams: 2, playersPerTeam: 1 }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking })
  const enter = async (playerId: string) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    return lobbyId
  }
  const cancelled = await enter('cid')
  await matchyard.lobbies.cancelMatchmaking({ projectId, lobbyId: cancelled, playerId: 'cid' })
  await enter('ann')
  clock.advance(MINUTE_MS)
  await matchyard.worker.runDueJobs()
  await enter('bob')
  clock.advance(9_000)
  await matchyard.matchmaking.runQueue(`${projectId}/duel`)
  return given
}

describe('the history of a project', () => {
  it('has the searches, matches, waits and exits of a queue, by the minute at once and by the hour soon', async () => {
    const { matchyard, projectId, clock } = await played()
    const read = (more: object = {}) =>
      matchyard.history.read({ projectId, series: ['searching', 'waits', 'matches', 'exits'], ...more })
    const at = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS
    const of = (answer: Awaited<ReturnType<typeof read>>) =>
      Object.fromEntries(answer.series.map(({ name, points }) => [name, points]))
    const minute = of(await read({ queueId: 'duel', step: '1m' }))
    expect(minute).toMatchObject({
      searching: [{ value: 1, most: 1 }],
      matches: [{ value: 1 }],
      waits: [{ value: 2, waitSeconds: { p50: expect.any(Number) } }],
      exits: [{ value: 1, parts: { cancelled: 1 } }],
    })
    expect(minute.waits?.[0]?.waitSeconds?.p50).toBeGreaterThan(9 * 0.75)
    expect(minute.waits?.[0]?.waitSeconds?.p99).toBeLessThan(69 * 1.25)
    expect(of(await read({ queueId: 'other' }))).toEqual({ searching: [], waits: [], matches: [], exits: [] })
    clock.advance(4 * MINUTE_MS)
    await matchyard.worker.runDueJobs()
    const hour = of(await read({ step: '1h', from: at - HOUR_MS, to: at + 1 }))
    expect(hour).toMatchObject({ matches: [{ value: 1 }], waits: [{ value: 2 }], exits: [{ value: 1 }] })
  })

  it('has the crashes of each build version, and what the servers cost', async () => {
    const clock = new FakeClock()
    const orchestrator = new FakeOrchestrator(clock)
    const { matchyard, projectId } = await service(() => ({}), { clock, timers: clock, orchestrator })
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const look = async () => {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
      await matchyard.worker.runDueJobs()
    }
    await look()
    clock.advance(HOUR_MS)
    orchestrator.exit(instanceId, { code: 139 })
    await look()
    const { series } = await matchyard.history.read({ projectId, series: ['crashes', 'cost'] })
    expect(series).toMatchObject([
      { points: [{ value: 1, parts: { 'arena@1': 1 } }] },
      { points: [{ parts: { '1x-1g': expect.any(Number) } }] },
    ])
  })

  it('chooses the step by the time that is read, at most 500 points of each series', async () => {
    const { matchyard, projectId, clock } = await service()
    const stepOf = async (hours: number, ago = 0) => {
      const to = clock.now() - ago * HOUR_MS
      return (await matchyard.history.read({ projectId, series: ['matches'], from: to - hours * HOUR_MS, to })).step
    }
    expect(await Promise.all([1, 8, 24, 7 * 24, 30 * 24].map((hours) => stepOf(hours)))).toEqual([
      ...['1m', '1m', '5m', '1h', '1d'],
    ])
    expect(await stepOf(1, 72)).toBe('5m')
    expect(await stepOf(1, 24 * 365)).toBe('1d')
  })

  it('refuses more than 5,000 points, more than 2,000 of a series, unknown series, and times that are none', async () => {
    const { matchyard, projectId } = await service()
    const read = (more: object) => matchyard.history.read({ projectId, series: ['matches'], ...more })
    const day = 24 * HOUR_MS
    await expect(read({ from: 0, to: 2_000 * MINUTE_MS, step: '1m' })).resolves.toMatchObject({ step: '1m' })
    for (const wrong of [
      { from: 0, to: 2_000 * MINUTE_MS + 1, step: '1m' },
      { series: ['matches', 'exits', 'waits'], from: 0, to: 1_700 * MINUTE_MS, step: '1m' },
      { from: 0, to: 2_001 * day },
      { series: [] },
      { series: ['matches', 'matches'] },
      { series: ['ping'] },
      { series: 'matches' },
      { step: '2m' },
      { from: 5, to: 5 },
      { from: Number.NaN },
      { to: 1e300 },
      { queueId: 5 },
    ])
      await expect(read(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(read({ projectId: 'prj_none' })).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
  })
})
