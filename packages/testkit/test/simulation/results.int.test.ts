import { expect, it } from 'vitest'
import { type CommandKind, simulate } from '../../src/simulation/index'
import { keepInvariants, RESULTS } from './worlds'

/** Worlds in which backends report results of matches: right, repeated, different, amended, and from two nodes at once. */
keepInvariants(
  [
    { name: 'results, two nodes', nodes: 2, faults: false, steps: 120, often: RESULTS },
    { name: 'results, two nodes that fail', nodes: 2, faults: true, steps: 120, often: RESULTS },
  ],
  6,
)

/** Commands to draw often, so that game servers run and report results before a backend does. */
const SERVER_RESULTS: readonly CommandKind[] = [
  ...Array.from({ length: 8 }, () => 'process-result' as const),
  ...(['seek-pair', 'seek-pair', 'seek-pair', 'process-ready', 'process-ready', 'run-queue', 'run-queue'] as const),
  ...(['run-jobs', 'run-jobs', 'run-jobs', 'reconcile', 'reconcile'] as const),
]

it('results are recorded, refused and amended', async () => {
  const seen = new Map<string, number>()
  for (const often of [RESULTS, SERVER_RESULTS]) {
    for (let seed = 1; seed <= 10; seed++) {
      const run = await simulate({ seed, steps: 120, shrinkTries: 0, faults: false, nodes: 2, often })
      for (const [name, times] of run.outcomes) seen.set(name, (seen.get(name) ?? 0) + times)
    }
  }
  const names = ['result ok', 'result RESULT_EXISTS', 'amend-result ok', 'process-result ok']
  expect(names.filter((name) => (seen.get(name) ?? 0) === 0)).toEqual([])
}, 300_000)
