import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callsOf, meanOf } from '../../bench/agones/calls-of-a-life'

/*
 * Operators plan clusters with these figures (docs/scaling.md), so a change that adds calls to a match must fail here.
 */

const benchmarks = readFileSync(new URL('../../../../docs/benchmarks.md', import.meta.url), 'utf8')

/**
 * Returns the row of `npm run bench -- agones` in docs/benchmarks.md: calls of a launch, of an end by a stop, and of an
 * end by itself.
 */
function documented(kind: string, nodes: number): readonly number[] {
  const [, figures] = new RegExp(`^\\| ${kind} \\| ${nodes} \\|(( \\d+ \\|){3})$`, 'm').exec(benchmarks) ?? []
  return figures?.match(/\d+/g)?.map(Number) ?? []
}

test.each([
  { kind: 'cold', warm: false, nodes: 1 },
  { kind: 'cold', warm: false, nodes: 3 },
  { kind: 'warm', warm: true, nodes: 1 },
])('$kind, $nodes nodes: a match comes to no more calls than are documented', async ({ kind, warm, nodes }) => {
  const [launch, stopped, exited] = documented(kind, nodes)
  const byStop = await meanOf((seed) => callsOf({ nodes, warm, ends: 'by a stop' }, seed))
  const byItself = await meanOf((seed) => callsOf({ nodes, warm, ends: 'by itself' }, seed))
  expect(byStop.launch).toBeLessThanOrEqual(launch ?? 0)
  expect(byStop.end).toBeLessThanOrEqual(stopped ?? 0)
  expect(byItself.end).toBeLessThanOrEqual(exited ?? 0)
  // A running game server costs no calls: the watches report its state.
  expect(byStop.play).toBe(0)
})
