import { expect, it } from 'vitest'
import { simulate } from '../../src/simulation/index'
import { keepInvariants, RATINGS } from './worlds'

const WORLD = { nodes: 2, steps: 120, often: RATINGS, rating: true } as const

/** Worlds in which results, amendments, seasons and changed settings of a rating race on two nodes. */
keepInvariants(
  [
    { name: 'a rating, two nodes', ...WORLD, faults: false },
    { name: 'a rating, two nodes that fail', ...WORLD, faults: true },
  ],
  50,
)

it('results are counted, amended and taken back, over seasons', { timeout: 300_000 }, async () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 10; seed++) {
    const { outcomes } = await simulate({ ...WORLD, seed, faults: false, shrinkTries: 0 })
    for (const [name, times] of outcomes) seen.set(name, (seen.get(name) ?? 0) + times)
  }
  if (process.env.SHOW) console.log([...seen])
  const names = ['result ok', 'amend-result ok', 'season ok', 'rating-change ok', 'rating-delete RATING_IN_USE']
  const reads = ['leaderboard ok', 'standings ok', 'calibration ok', 'join-match ok']
  expect([...names, ...reads].filter((name) => (seen.get(name) ?? 0) === 0)).toEqual([])
})
