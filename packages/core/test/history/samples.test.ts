import { describe, expect, it } from 'vitest'
import { HISTORY_STEPS, historyPlaceAt, type Storage } from '../../src/ports/storage/index'
import type { GameServer } from '../../src/server/game-server'
import { HOUR_MS, MINUTE_MS } from '../../src/shared/time'
import { KEYS_A_DAY } from '../../src/worker/rolled-up'
import { service } from '../use-cases/service'

async function given(around: (storage: Storage) => Partial<Storage> = () => ({})) {
  let storage: Storage | undefined
  const made = await service((real) => {
    storage ??= real
    return around(real)
  })
  if (storage === undefined) throw new Error('no storage')
  const { clock } = made
  const real = storage
  const rows = async () =>
    (await real.history.rows(HISTORY_STEPS['1m'], historyPlaceAt(0), clock.now() + HOUR_MS, 1_000)).filter(
      ({ series }) => series === 'servers',
    )
  return { ...made, rows }
}

describe('samples of running servers', () => {
  it('are taken once a minute, whichever node takes them, while a server runs', async () => {
    const on = await given()
    const { matchyard, clock, projectId, rows } = on
    const other = await on.another({ nodeId: 'other' })
    await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.worker.runDueJobs()
    expect(await rows()).toEqual([])
    clock.advance(5_000)
    await matchyard.worker.reconcileServers()
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(MINUTE_MS)
      for (const node of [matchyard, other.matchyard, matchyard]) await node.worker.runDueJobs()
    }
    const row = { projectId, queueId: '', key: 'arena@1', count: 1, sum: 1, most: 1 }
    expect(await rows()).toMatchObject([row, row, row])
    const { series } = await matchyard.history.read({ projectId, series: ['servers'], step: '1m' })
    expect(series[0]?.points).toMatchObject([{ value: 1, parts: { 'arena@1': 1 } }, { value: 1 }, { value: 1 }])
  })

  it('counts the servers of at most fifty versions by themselves', async () => {
    const servers = Array.from({ length: 120 }, (_, index) => ({
      ...{ projectId: 'prj_a', queueId: index % 2 === 0 ? 'duel' : null, status: 'running', versionTag: 'arena' },
      buildVersion: index % 60,
    })) as unknown as GameServer[]
    const { matchyard, clock, rows } = await given((storage) => ({
      servers: { ...storage.servers, listLive: async (nodeId) => (nodeId === undefined ? servers : []) },
    }))
    clock.advance(MINUTE_MS)
    await matchyard.worker.runDueJobs()
    const all = await rows()
    const sampled = all.filter(({ slot }) => slot === all.at(-1)?.slot)
    expect(new Set(sampled.map(({ key }) => key)).size).toBe(KEYS_A_DAY + 1)
    expect(sampled.reduce((sum, row) => sum + row.sum, 0)).toBe(120)
    expect(sampled.filter(({ key }) => key === 'other').reduce((sum, row) => sum + row.sum, 0)).toBe(20)
  })
})
