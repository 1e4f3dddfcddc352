import { expect, test } from 'vitest'
import { TicketColumns } from '../src/columns/ticket-columns'
import { formatOf } from '../src/config/match-format'
import { GreedySweep } from '../src/pairs/greedy'
import { LinearSweep, type PairView } from '../src/pairs/linear'
import { PairRules } from '../src/pairs/pair-rules'
import { bulkSort } from '../src/sorting/bulk-sort'

const columns = new TicketColumns(formatOf({ rules: [{ type: 'difference', field: 'mmr', maxDifference: 3 }] }))
for (let index = 0, draw = 7; index < 2_000; index++) {
  draw = (Math.imul(draw, 1664525) + 1013904223) >>> 0
  const id = `t${index}`
  // Sometimes one player is in two lobbies that are neighbours in order.
  const playerId = index % 40 === 1 ? `p${index - 1}` : `p${index}`
  const mmr = index % 40 === 1 ? (columns.order[index - 1] as number) : (draw >>> 8) % 4_000
  columns.add({ id, enteredAt: (draw >>> 4) % 500, players: [{ playerId, state: { mmr } }] })
  columns.bucket[index] = index % 50 > 47 ? 3 : 1 + ((index >> 1) % 2)
}
const steps = bulkSort(columns, columns.bucket, 3)
let step = steps.next()
while (!step.done) step = steps.next()
const sorted = step.value
const count = sorted.slots.length
const rules = new PairRules(columns)
rules.prepare(0, 0)
const view = (): PairView => ({
  columns,
  ...sorted,
  count,
  mate: new Int32Array(count).fill(-1),
  masks: undefined,
  capped: false,
})

const linear = (size: number) => {
  const made = view()
  const shared: number[] = []
  const sweep = new LinearSweep(made, rules.reach, shared)
  while (sweep.advance(size));
  return { mate: made.mate, shared }
}
const greedy = (size: number) => {
  const made = view()
  const sweep = new GreedySweep(made, rules)
  while (sweep.advance(size));
  return made.mate
}

test('a sweep left at any place and gone on with pairs the same tickets as one made in one go', () => {
  const whole = linear(count)
  expect(whole.mate.filter((mate) => mate >= 0).length).toBeGreaterThan(count / 2)
  expect(whole.shared.length).toBeGreaterThan(10)
  for (const size of [1, 2, 3, 7, 64, 1_001]) expect(linear(size)).toEqual(whole)
  for (const size of [1, 2, 7, 64, 1_001]) expect(greedy(size)).toEqual(greedy(count))
})
