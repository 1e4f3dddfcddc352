import { describe, expect, it } from 'vitest'
import { Samples } from '../src/simulation/figures'
import {
  generatedArrivals,
  play,
  type RecordedArrivalJson,
  replayedArrivals,
  START_AT,
  scenarioOfQueue,
  spanOf,
} from '../src/simulation/index'

const drawn = { rate: 5, parties: 2_000, fields: { mmr: { normal: { mean: 1_500, deviation: 300 } } } }
const queue = (max_difference: number) => ({
  matchmaking: { rules: [{ type: 'difference', field: 'mmr', max_difference }] },
  timeout: 30,
})

const recorded = (id: string, seconds: number, more: Partial<RecordedArrivalJson> = {}): RecordedArrivalJson => ({
  arrival_id: id,
  entered_at: new Date(Date.UTC(2026, 4, 1) + seconds * 1_000).toISOString(),
  outcome: 'matched',
  wait_seconds: 1,
  players: [{ player_id: id, state: { mmr: 1_500 } }],
  ...more,
})

describe('a run', () => {
  it('is the same by the same seed, and plain data, as another thread is sent it', async () => {
    const once = await play(scenarioOfQueue('x', queue(20), 400), generatedArrivals(drawn, 7))
    const again = await play(scenarioOfQueue('x', queue(20), 400), [...generatedArrivals(drawn, 7)])
    expect(structuredClone(once)).toEqual(again)
    expect(once.timelines.wait.length).toBeGreaterThan(100)
  })

  it('tells how far it is, and is called off by what is thrown there', async () => {
    const told: number[] = []
    const tell = ({ parties }: { parties: number }) => {
      told.push(parties)
      if (parties === 1_500) throw new Error('called off')
    }
    const run = play(scenarioOfQueue('x', queue(20), 400), generatedArrivals(drawn, 7), { tell, tellEvery: 500 })
    await expect(run).rejects.toThrow('called off')
    expect(told).toEqual([500, 1_000, 1_500])
  })

  it('asks a bounded number of those who find nothing, spread over all of it', async () => {
    const far = { ...drawn, parties: 5_000, fields: { mmr: { uniform: { min: 0, max: 1e9 } } } }
    const { unmatched } = await play(scenarioOfQueue('x', queue(1), 1_000), generatedArrivals(far, 7))
    expect(unmatched.parties).toBeGreaterThan(4_900)
    expect(unmatched.asked).toBeGreaterThan(200)
    expect(unmatched.asked).toBeLessThan(1_000)
    expect(unmatched.reasons[0]).toMatchObject({ reason: 'rule', type: 'difference', field: 'mmr' })
  })
})

describe('distributions of waits', () => {
  it('count each matched party in one row, and each party with the field in one band', async () => {
    const { parties, unmatchedShare, waitHistogram, waitByField } = await play(
      scenarioOfQueue('x', queue(20), 400),
      generatedArrivals(drawn, 7),
    )
    const matched = Math.round(parties * (1 - unmatchedShare))
    expect(waitHistogram.reduce((sum, row) => sum + row.parties, 0)).toBe(matched)
    // No party waits longer than the timeout of 30 seconds.
    expect(waitHistogram.filter(({ seconds }) => seconds === null || seconds > 30)).toEqual([
      { seconds: 60, parties: 0 },
      { seconds: 120, parties: 0 },
      { seconds: 300, parties: 0 },
      { seconds: 600, parties: 0 },
      { seconds: null, parties: 0 },
    ])
    const bands = waitByField?.bands ?? []
    expect(waitByField?.field).toBe('mmr')
    expect(bands.map((band) => band.parties).reduce((sum, count) => sum + count, 0)).toBe(parties)
    expect(bands.reduce((sum, band) => sum + Math.round(band.matchedShare * band.parties), 0)).toBe(matched)
    expect(bands).toHaveLength(5)
    for (const [at, { from, to }] of bands.entries()) {
      expect(from).toBeLessThanOrEqual(to)
      expect(from).toBeGreaterThan(bands[at - 1]?.to ?? Number.NEGATIVE_INFINITY)
    }
    // Players with rare skills wait longer than players with the most frequent skills.
    expect(bands[4]?.waitSeconds.p90 ?? 0).toBeGreaterThan(bands[2]?.waitSeconds.p90 ?? 0)
  })

  it('measure a field without a rule, and put equal values into one band', async () => {
    const arrivals = { ...drawn, fields: { mmr: drawn.fields.mmr, ping: { uniform: { min: 0, max: 1 } } } }
    const scenario = { ...scenarioOfQueue('x', {}, 400), measuredFields: ['ping'] }
    const { spread, waitByField } = await play(scenario, generatedArrivals(arrivals, 7))
    expect(Object.keys(spread)).toEqual(['ping'])
    expect(spread.ping?.mean).toBeGreaterThan(0.2)
    expect(waitByField?.field).toBe('ping')
    const same = { ...drawn, fields: { ping: { choice: { a: 1 } }, mmr: { constant: 1_500 } } }
    const flat = await play(scenarioOfQueue('x', queue(20), 400), generatedArrivals(same, 7))
    expect(flat.waitByField?.bands.map(({ from, to, parties }) => [from, to, parties])).toEqual([[1_500, 1_500, 2_000]])
    const none = await play(scenarioOfQueue('x', {}, 400), generatedArrivals(drawn, 7))
    expect(none.waitByField).toBeUndefined()
  })
})

describe('percentiles', () => {
  const samplesOf = (values: readonly number[]) => {
    const samples = new Samples()
    for (const value of values) samples.add(value)
    return [0.5, 0.9, 0.99, 1].map((share) => samples.percentile(share))
  }

  it.each([
    [1, [1, 1, 1, 1]],
    [2, [1, 2, 2, 2]],
    [10, [5, 9, 10, 10]],
    [101, [51, 91, 100, 101]],
    [2_000, [1_000, 1_800, 1_980, 2_000]],
  ])('of the numbers up to %i are those that so many are at most', (count, expected) => {
    expect(samplesOf(Array.from({ length: count }, (_, index) => count - index))).toEqual(expected)
  })

  it('of nothing are null', () => {
    expect(samplesOf([])).toEqual([null, null, null, null])
  })
})

describe('recorded arrivals', () => {
  it('come in order of entering, each once and as it was told last, from the beginning of virtual time on', () => {
    const tickets = replayedArrivals([
      recorded('arr_c', 20, { region: 'fra' }),
      recorded('arr_b', 5),
      recorded('arr_a', 5, { outcome: null, wait_seconds: null }),
      recorded('arr_a', 5, { outcome: 'cancelled', wait_seconds: 3 }),
      recorded('arr_erased', 1, { players: [] }),
    ])
    expect(tickets.map(({ id, enteredAt, givesUpAfterMs }) => [id, enteredAt - START_AT, givesUpAfterMs])).toEqual([
      ['arr_a', 0, 3_000],
      ['arr_b', 0, undefined],
      ['arr_c', 15_000, undefined],
    ])
    expect([spanOf(tickets), tickets[2]?.region]).toEqual([15, 'fra'])
    expect(spanOf(replayedArrivals([]))).toBe(1)
  })

  it('are told by what half of them, nine of ten and all but one in a hundred waited at most', async () => {
    // A hundred pairs. In each, one player waits for the other, for 1, 2, … 100 seconds. A tick follows 50 ms after each arrival.
    const arrivals = Array.from({ length: 100 }, (_, index) => [
      recorded(`arr_a${index}`, 200 * index),
      recorded(`arr_b${index}`, 200 * index + index + 1),
    ])
    const scenario = scenarioOfQueue('x', { ...queue(20), timeout: 1_000 }, 20_000)
    const { waitSeconds } = await play(scenario, replayedArrivals(arrivals.flat()))
    expect(waitSeconds).toEqual({ p50: 0.05, p90: 80.05, p99: 98.05 })
  })

  it('who gave up goes after the same time, unless a match is found before', async () => {
    const arrivals = [
      recorded('arr_a', 0, { outcome: 'cancelled', wait_seconds: 3 }),
      recorded('arr_b', 2),
      recorded('arr_c', 10, { outcome: 'player_left', wait_seconds: 3 }),
      recorded('arr_d', 14),
    ]
    const outcome = await play(scenarioOfQueue('x', queue(20), 14), replayedArrivals(arrivals))
    expect(outcome).toMatchObject({ parties: 4, matches: 1 })
    expect(outcome.unmatched).toMatchObject({
      parties: 2,
      gaveUp: 1,
      asked: 2,
      reasons: [{ reason: 'alone', parties: 2 }],
    })
  })
})
