import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPREAD_FIELDS, spreadCells } from '../../src/commit/spread-cells'
import {
  addedHistory,
  HISTORY_STEPS,
  type HistoryCell,
  historyPlaceAt,
  minuteCell,
  type Storage,
} from '../../src/ports/storage/index'
import { SPREAD_BUCKETS, spreadKey, spreadsByField } from '../../src/reads/spread-buckets'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/shared/time'
import { SPREAD_FIELDS_A_DAY } from '../../src/worker/rolled-up'
import { service } from '../use-cases/service'

const AT = 20_000 * DAY_MS

const percentilesOf = (spreads: readonly number[]) => {
  const counts = spreads.map((spread) => ({ key: spreadKey('mmr', spread), count: 1 }))
  return spreadsByField(counts).mmr
}

describe('buckets of spreads', () => {
  it('are sixty, from spreads below 0.01 to millions', () => {
    expect(SPREAD_BUCKETS).toHaveLength(60)
    expect([0, 0.009, 0.01, 0.014, 100, 10 ** 9, Number.MAX_VALUE].map((spread) => spreadKey('mmr', spread))).toEqual([
      ...['00 mmr', '00 mmr', '01 mmr', '02 mmr', '28 mmr', '59 mmr', '59 mmr'],
    ])
  })

  it('give percentiles that differ from the exact spread by at most two fifths', () => {
    const spreads = fc.array(fc.double({ min: 0.01, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(spreads, (some) => {
        const sorted = [...some].sort((a, b) => a - b)
        const told = percentilesOf(some)
        for (const [share, figure] of [
          [0.5, told?.p50],
          [0.9, told?.p90],
          [0.99, told?.p99],
        ] as const) {
          const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? 0
          // Three significant digits are kept.
          expect(Math.abs((figure ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.41)
        }
      }),
    )
    expect(percentilesOf([0, 0, 0.004])).toEqual({ p50: 0, p90: 0, p99: 0 })
  })

  it('show no field for the spreads of further fields', () => {
    expect(spreadsByField([{ key: spreadKey('', 5), count: 3 }])).toEqual({})
  })
})

/** Returns a service with a queue whose rules compare `mmr` and `level`, and with two matched players. */
async function played() {
  let storage: Storage | undefined
  const given = await service((real) => {
    storage ??= real
    return {}
  })
  if (storage === undefined) throw new Error('no storage')
  const { matchyard, projectId, clock } = given
  const rules = [
    { type: 'difference' as const, field: 'mmr', maxDifference: 200 },
    { type: 'team_difference' as const, field: 'level', maxDifference: 50 },
    { type: 'equals' as const, field: 'mode' },
  ]
  const matchmaking = { teams: 2, playersPerTeam: 1, rules }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking })
  const enter = async (playerId: string, state: { mmr: number; level?: number; mode: number }) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel', state })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
  }
  const play = async (states: readonly [Parameters<typeof enter>[1], Parameters<typeof enter>[1]]) => {
    for (const [index, state] of states.entries()) await enter(`player_${clock.now()}_${index}`, state)
    clock.advance(1_000)
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
  }
  return { ...given, storage, play }
}

describe('the history of spreads', () => {
  it('has the spread of each numeric field of the rules, in the commit of the match', async () => {
    const { matchyard, projectId, play } = await played()
    await play([
      { mmr: 1_500, level: 3, mode: 7 },
      { mmr: 1_600, level: 3, mode: 7 },
    ])
    await play([
      { mmr: 1_500, mode: 7 },
      { mmr: 1_610, mode: 7 },
    ])
    const { series } = await matchyard.history.read({ projectId, queueId: 'duel', series: ['spread'], step: '1m' })
    expect(series[0]?.points).toMatchObject([
      { value: 2, spreads: { level: { p50: 0 }, mmr: { p50: expect.any(Number) } } },
    ])
    const p50 = series[0]?.points[0]?.spreads?.mmr?.p50 ?? 0
    expect(p50).toBeGreaterThan(100 * 0.6)
    expect(p50).toBeLessThan(110 * 1.4)
  })

  it('has rows for four fields in a minute, and for eight fields in a day', async () => {
    const fields = Array.from({ length: 6 }, (_, index) => `field ${index}`)
    const rules = fields.map((field) => ({ type: 'difference' as const, field, maxDifference: 1e12 }))
    const queue = { projectId: 'prj_a', queueId: 'duel', matchmaking: { rules }, serverSettings: null }
    const state = (value: number) => Object.fromEntries(fields.map((field) => [field, value]))
    const teams = (value: number) => [
      { name: 'a', players: [{ playerId: 'ann', lobbyId: 'lob_a', role: null, state: state(0), leftAt: null }] },
      { name: 'b', players: [{ playerId: 'bob', lobbyId: 'lob_b', role: null, state: state(value), leftAt: null }] },
    ]
    const all = Array.from({ length: 200 }, (_, index) => spreadCells(queue, teams(0.005 * 1.2 ** index), AT)).flat()
    expect(addedHistory(all)).toHaveLength(SPREAD_FIELDS * SPREAD_BUCKETS.length)
    expect(SPREAD_FIELDS * SPREAD_BUCKETS.length).toBe(240)

    const { matchyard, projectId, clock, storage } = await played()
    const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
    for (let minute = 0; minute < 6; minute++) {
      const cells = Array.from({ length: 4 }, (_, index) => spreadKey(`field ${2 * minute + index}`, 100 * index)).map(
        (key): HistoryCell =>
          minuteCell(clock.now(), { projectId, queueId: 'duel', series: 'spread', key, count: 1, sum: 0, most: 0 }),
      )
      await storage.commit({ ...none, id: `cmt_${minute}`, at: clock.now(), history: cells })
      clock.advance(5 * MINUTE_MS)
      await matchyard.worker.runDueJobs()
    }
    const rows = await storage.history.rows(HISTORY_STEPS['1d'], historyPlaceAt(0), clock.now() + HOUR_MS, 1_000)
    const spreads = rows.filter(({ series, queueId }) => series === 'spread' && queueId === 'duel')
    const names = new Set(spreads.map(({ key }) => key.slice(3)))
    names.delete('')
    expect(names.size).toBe(SPREAD_FIELDS_A_DAY)
    expect(spreads.reduce((sum, { count }) => sum + count, 0)).toBe(24)
    expect((SPREAD_FIELDS_A_DAY + 1) * SPREAD_BUCKETS.length).toBe(540)
    // docs/limits.md has these numbers.
    expect(240 * 1_440 + 540 * (288 + 24 + 1)).toBe(514_620)
  })
})
