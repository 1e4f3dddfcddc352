import { afterAll, expect, it } from 'vitest'
import { simulate } from '../../src/simulation/index'
import { ResultTally } from './result-tally'
import { COMMIT_FAULTS, keepInvariants, RATINGS } from './worlds'

const WORLD = { nodes: 2, steps: 160, often: RATINGS, rating: true, faults: COMMIT_FAULTS } as const

const all = new ResultTally()
afterAll(() => console.log(all.text))

/** A world in which results, amendments, seasons, erasures and changed settings of a rating race on two nodes that fail. */
keepInvariants([{ name: 'a rating, two nodes that fail', ...WORLD, ...all.options }], 4)

it('results are counted, amended, raced, lost and repeated, over seasons', { timeout: 300_000 }, async () => {
  const tally = new ResultTally()
  const seen = new Map<string, number>()
  for (let seed = 701; seed <= 706; seed++) {
    const { outcomes } = await simulate({ ...WORLD, ...tally.options, seed, shrinkTries: 0 })
    for (const [name, times] of outcomes) seen.set(name, (seen.get(name) ?? 0) + times)
  }
  const names = ['rated-result ok', 'rated-result RESULT_EXISTS', 'result-again ok', 'amend-rated ok', 'season ok']
  const others = ['start-rated ok', 'erase-player ok', 'rating-change ok', 'rating-delete RATING_IN_USE']
  const reads = ['leaderboard ok', 'standings ok', 'calibration ok']
  expect([...names, ...others, ...reads].filter((name) => (seen.get(name) ?? 0) === 0)).toEqual([])
  const { first, amended } = tally.applied
  expect(Math.min(first, amended, tally.raced)).toBeGreaterThan(6)
  expect(tally.lost).toBeGreaterThan(0)
})
