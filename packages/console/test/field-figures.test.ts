import { expect, it } from 'vitest'
import { BARS, histogramOf, percentile, valuesOf } from '../src/page/rooms/queues/field-figures'
import { numbersIn } from '../src/page/rooms/queues/recorded'

const stay = (outcome: 'matched' | 'timeout' | null, ...levels: readonly unknown[]) => ({
  outcome,
  players: levels.map((level) => ({ state: { level } })),
})

it('takes the values of the players who wait and of those who were matched, and of no others', () => {
  const stays = [stay(null, 5, 2), stay('matched', 9, 'x', undefined), stay('timeout', 100)]
  expect(valuesOf(stays, 'level')).toEqual({ waiting: [2, 5], played: [9] })
  expect(valuesOf(stays, 'mmr')).toEqual({ waiting: [], played: [] })
})

it('has nearest-rank percentiles, and none without values', () => {
  const ten = Array.from({ length: 10 }, (_, index) => index + 1)
  expect([percentile(ten, 0.5), percentile(ten, 0.9), percentile([7], 0.01), percentile([], 0.5)]).toEqual([
    ...[5, 9, 7, null],
  ])
})

it('shows each player of a group in one bar, and those far beyond in the first and the last bar', () => {
  const played = [-1e9, ...Array.from({ length: 400 }, (_, index) => index), 1e9]
  const bars = histogramOf({ played, waiting: [3] })
  expect(bars).toHaveLength(BARS)
  const sum = (group: 'played' | 'waiting') => bars.reduce((all, { shares }) => all + shares[group], 0)
  expect(sum('played')).toBeCloseTo(1)
  expect(sum('waiting')).toBeCloseTo(1)
  expect(bars[0]?.from).toBeGreaterThanOrEqual(0)
  expect(bars.at(-1)?.to).toBeLessThanOrEqual(400)
})

it('has one bar for equal values, and none without values', () => {
  expect(histogramOf({ waiting: [5, 5], played: [] })).toEqual([{ from: 5, to: 5, shares: { waiting: 1, played: 0 } }])
  expect(histogramOf({ waiting: [], played: [] })).toEqual([])
})

it('offers the numbers that most players have, at most twelve', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, 1]))
  const stays = [{ players: [{ state: { mmr: 1, name: 'x', ...many } }, { state: { mmr: 2 } }] }]
  expect(numbersIn(stays)).toHaveLength(12)
  expect(numbersIn(stays)[0]).toBe('mmr')
})
