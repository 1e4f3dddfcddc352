import { expect, test } from 'vitest'
import { TicketColumns } from '../src/columns/ticket-columns'
import { formatOf } from '../src/config/match-format'
import { bulkSort } from '../src/sorting/bulk-sort'
import { mergeSort } from '../src/sorting/merge-sort'

/** Runs a generator to its end; returns its result and the number of yields. */
const run = <T>(steps: Generator<undefined, T, undefined>): { result: T; yields: number } => {
  for (let yields = 0; ; yields++) {
    const step = steps.next()
    if (step.done) return { result: step.value, yields }
  }
}
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 4294967296
}

const VALUES: Readonly<Record<string, (draw: () => number) => number | undefined>> = {
  even: (draw) => draw() * 3000,
  'whole numbers': (draw) => Math.floor(draw() * 40),
  'all the same': () => 1500,
  'far outliers': (draw) => (draw() < 0.001 ? 1e15 * draw() : draw()),
  'mostly one value': (draw) => (draw() < 0.9 ? 1000 : draw() * 3000),
  'often absent': (draw) => (draw() < 0.4 ? undefined : draw() * 100 - 50),
  'the whole range of numbers': (draw) => (draw() < 0.5 ? 1 : -1) * Number.MAX_VALUE * draw(),
  'hardly apart': (draw) => Number.MIN_VALUE * Math.floor(draw() * 5),
}

for (const [name, draws] of Object.entries(VALUES)) {
  for (const order of ['entering in order of age', 'entering in any order'] as const) {
    test(`slots by key, value, age: values ${name}, ${order}`, () => {
      const draw = random(name.length)
      const columns = new TicketColumns(formatOf({ rules: [{ type: 'difference', field: 'mmr', maxDifference: 1 }] }))
      const count = 15_000
      for (let index = 0; index < count; index++) {
        const mmr = draws(draw)
        const state = mmr === undefined ? {} : { mmr }
        const enteredAt = order === 'entering in order of age' ? index >> 2 : Math.floor(draw() * 9_000)
        const id = `t${String(index).padStart(5, '0')}`
        columns.add({ id, enteredAt, players: [{ playerId: id, state }] })
        // One bucket holds most of the tickets, and some others are tiny.
        columns.bucket[index] = draw() < 0.9 ? 7 : Math.floor(draw() * 400)
        if (draw() < 0.05) columns.remove(index)
      }
      const { slots, values, runs } = run(bulkSort(columns, columns.bucket, 400)).result
      const wanted = Array.from({ length: count }, (_, slot) => slot).filter((slot) => columns.alive[slot] === 1)
      const value = (slot: number) => (Number.isNaN(columns.order[slot]) ? Infinity : (columns.order[slot] as number))
      wanted.sort((a, b) => {
        if (columns.bucket[a] !== columns.bucket[b])
          return (columns.bucket[a] as number) - (columns.bucket[b] as number)
        if (value(a) !== value(b)) return value(a) < value(b) ? -1 : 1
        return columns.older(a, b) ? -1 : 1
      })
      expect(Buffer.from(slots.buffer).equals(Buffer.from(Int32Array.from(wanted).buffer))).toBe(true)
      expect(values).toEqual(Float64Array.from(wanted, (slot) => columns.order[slot] as number))
      const begins = wanted.flatMap((slot, at) =>
        columns.bucket[slot] === columns.bucket[wanted[at - 1] ?? -1] ? [] : [at],
      )
      expect([...runs]).toEqual([...begins, wanted.length])
    })
  }
}

test('sorting by comparing is stable, keeps to its range, and hands control back', () => {
  const draw = random(5)
  const input = Int32Array.from({ length: 50_000 }, (_, index) => (Math.floor(draw() * 100) << 16) | index)
  const tens = (entry: number) => entry >> 16
  const sorted = input.slice()
  const { yields } = run(mergeSort(sorted, (a, b) => tens(a) < tens(b), 10, 49_990))
  const wanted = [...input.slice(10, 49_990)].sort((a, b) => tens(a) - tens(b))
  expect([...sorted]).toEqual([...input.slice(0, 10), ...wanted, ...input.slice(49_990)])
  expect(yields).toBeGreaterThan(40)
})
