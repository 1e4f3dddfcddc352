import { emptyMemoryData, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import { expect, it } from 'vitest'
import { FakeTracing } from '../../src/index'
import { simulate } from '../../src/simulation/index'

/** The first seed; another number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const RUNS = 12

/** A reference to a trace, as rows contain it in their text. */
const PLACE = /,\\?"trace\\?":\\?"00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]\\?"/g

/** Returns all rows that a run leaves, without the references to traces. */
const rowsOf = ({ entities }: MemoryData): string =>
  JSON.stringify([...entities].map(([kind, rows]) => [kind, [...rows.values()]])).replace(PLACE, '')

async function ran(seed: number, tracing: FakeTracing | undefined) {
  let data = emptyMemoryData()
  const store = () => {
    data = emptyMemoryData()
    const ofRun = data
    return () => memoryStorage({ data: ofRun })
  }
  const spoil = () => (tracing === undefined ? {} : { tracing })
  const { failure, outcomes, turns } = await simulate({ seed, nodes: 2, steps: 100, store, spoil })
  return { failure: failure?.invariant, outcomes: [...outcomes], turns, rows: rowsOf(data), data }
}

it('a run with tracing leaves what it leaves without: the same matches, row by row', { timeout: 300_000 }, async () => {
  const tracing = new FakeTracing()
  let placed = 0
  for (let seed = firstSeed; seed < firstSeed + RUNS; seed++) {
    const [{ data: _, ...without }, { data, ...traced }] = [await ran(seed, undefined), await ran(seed, tracing)]
    expect({ seed, ...traced }).toEqual({ seed, ...without })
    placed += [...(data.entities.get('match')?.values() ?? [])].filter((row) => JSON.stringify(row).match(PLACE)).length
  }
  // Tracing was on, and recorded spans.
  expect(placed).toBeGreaterThan(0)
  for (const name of ['match', 'launch', 'game']) {
    expect(tracing.spans.filter((span) => span.name.startsWith(name)).length, name).toBeGreaterThan(0)
  }
})
