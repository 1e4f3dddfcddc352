import { expect, it } from 'vitest'
import { simulate } from '../../src/simulation/index'
import { keepInvariants, RESULTS } from './worlds'

/** Worlds in which backends report results of matches: right, repeated, different, amended, and from two nodes at once. */
keepInvariants(
  [
    { name: 'results, two nodes', nodes: 2, faults: false, steps: 120, often: RESULTS },
    { name: 'results, two nodes that fail', nodes: 2, faults: true, steps: 120, often: RESULTS },
  ],
  6,
)

it('results are recorded, refused and amended', async () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 10; seed++) {
    const run = await simulate({ seed, steps: 120, shrinkTries: 0, faults: false, nodes: 2, often: RESULTS })
    for (const [name, times] of run.outcomes) seen.set(name, (seen.get(name) ?? 0) + times)
  }
  const names = ['result ok', 'result RESULT_EXISTS', 'amend-result ok']
  expect(names.filter((name) => (seen.get(name) ?? 0) === 0)).toEqual([])
}, 300_000)
