import type { History } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { chartTimeOf, filled, MOST_SLOTS, partsOf, slotsOf } from '../src/page/data/slots'
import { crashShares } from '../src/page/ui/crash-shares'
import { historyLines, MOST_PARTS, spreadFields } from '../src/page/ui/history-lines'

const NOON = Date.parse('2026-03-14T12:00:00.000Z')
const MINUTE = 60_000
const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString()

type Points = History['series'][number]['points']
const history = (name: History['series'][number]['name'], points: Points, step: History['step'] = '1m'): History => ({
  ...{ queue_id: null, from: at(0), to: at(step === '1m' ? 4 : 20), step },
  series: [{ name, points }],
})

it('reads the time of the charts from the address, and takes the default for anything else', () => {
  const timeOf = (text: string) => chartTimeOf(new URLSearchParams(text))
  expect(timeOf('')).toMatchObject({ range: { id: '6h' }, until: undefined })
  expect(timeOf('range=7d&until=2026-03-14T12:00Z')).toMatchObject({ range: { id: '7d' }, until: NOON })
  expect(timeOf('range=1000y&until=soon')).toMatchObject({ range: { id: '6h' }, until: undefined })
  expect(chartTimeOf(new URLSearchParams(), '30d').range.id).toBe('30d')
})

it('leaves out the slots that are still being counted, and never has more slots than the service answers with', () => {
  const asked = { from: at(0), to: at(20), step: '5m' } as const
  expect(slotsOf(asked, NOON + 60 * MINUTE)).toHaveLength(4)
  // The last slot ended two minutes ago, so the service may not have added all of its minutes yet.
  expect(slotsOf(asked, NOON + 22 * MINUTE)).toHaveLength(3)
  expect(slotsOf({ ...asked, step: '1m' }, NOON + 5 * MINUTE)).toHaveLength(5)
  const day = { from: at(0), to: at(24 * 60), step: '1d' } as const
  expect(slotsOf(day, NOON + MINUTE)).toEqual([NOON])
  expect(slotsOf({ from: at(0), to: at(1e6), step: '1m' }, NOON + 1e12)).toHaveLength(MOST_SLOTS)
})

it('draws zero where nothing was counted, and a gap where there is no wait', () => {
  const now = NOON + 60 * MINUTE
  const counted = historyLines(history('matches', [{ at: at(1), value: 3 }]), 'matches', { now })
  expect(counted.lines[0]?.values).toEqual([0, 3, 0, 0])
  const waits = [{ at: at(2), value: 1, wait_seconds: { p50: 2, p90: 5, p99: null } }]
  const { lines, isEmpty } = historyLines(history('waits', waits), 'waits', { now })
  expect(lines.map(({ values }) => values)).toEqual([
    [null, null, 2, null],
    [null, null, 5, null],
    [null, null, null, null],
  ])
  expect(isEmpty).toBe(false)
  expect(historyLines(history('waits', []), 'waits', { now }).isEmpty).toBe(true)
})

it('shows cost as dollars per hour, and of days as dollars per day', () => {
  const now = NOON + 48 * 60 * MINUTE
  const cost = (step: History['step']) =>
    historyLines(history('cost', [{ at: at(0), value: 2_000_000 }], step), 'cost', { now }).lines[0]
  expect(cost('1m')).toMatchObject({ label: 'Dollars per hour', values: [120, 0, 0, 0] })
  expect(cost('1d')).toMatchObject({ label: 'Dollars per day', values: [2] })
})

it('draws the largest parts as lines of their own, and all others as one line', () => {
  const parts = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`arena@${place}`, 50 - place]))
  const of = history('crashes', [{ at: at(0), value: 1, parts }])
  const { lines } = historyLines(of, 'crashes', { now: NOON + 60 * MINUTE })
  expect(lines).toHaveLength(MOST_PARTS + 1)
  expect(lines.at(-1)?.label).toBe('45 others')
  const drawn = lines.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)
  expect(drawn).toBe((50 * 51) / 2)
})

it('counts the crashes of one build alone, with the share of each version', () => {
  const parts = { 'arena@2': 3, 'arena@10': 1, 'arena-eu@2': 40, other: 7 }
  const of = history('crashes', [
    { at: at(0), value: 1, parts },
    { at: at(1), value: 1, parts: { 'arena@2': 4 } },
  ])
  expect(crashShares(of, 'arena')).toEqual([
    { version: 'v2', crashes: 7, share: 7 / 8 },
    { version: 'v10', crashes: 1, share: 1 / 8 },
  ])
  expect(partsOf([])).toEqual([])
  expect(filled([NOON], [], ({ value }) => value, null)).toEqual([null])
})

it('draws the spread of one field, with a gap where no match was made', () => {
  const now = NOON + 60 * MINUTE
  const of = history('spread', [
    { at: at(1), value: 3, spreads: { mmr: { p50: 40, p90: 90, p99: 120 } } },
    { at: at(2), value: 1, spreads: { level: { p50: 2, p90: 3, p99: 3 } } },
  ])
  expect(spreadFields(of)).toEqual(['level', 'mmr'])
  const { lines, isEmpty } = historyLines(of, 'spread', { now, field: 'mmr' })
  expect(lines.map(({ values }) => values)).toEqual([
    [null, 40, null, null],
    [null, 90, null, null],
    [null, 120, null, null],
  ])
  expect(isEmpty).toBe(false)
  expect(historyLines(of, 'spread', { now }).isEmpty).toBe(true)
  expect(spreadFields(history('matches', []))).toEqual([])
})

it('draws running servers by build version, open streams by side and refused calls by code', () => {
  const now = NOON + 60 * MINUTE
  const drawn = (name: History['series'][number]['name'], parts: Record<string, number>) =>
    historyLines(history(name, [{ at: at(0), value: 3, parts }]), name, { now }).lines.map(({ label, values }) => [
      label,
      values[0],
    ])
  expect(drawn('servers', { 'arena@2': 1, 'arena@1': 2 })).toEqual([
    ['arena@1', 2],
    ['arena@2', 1],
  ])
  expect(drawn('streams', { clients: 7, backend: 1 })).toEqual([
    ['Players', 7],
    ['Backend and game servers', 1],
  ])
  expect(drawn('refusals', { LOBBY_FULL: 4 })).toEqual([['LOBBY_FULL', 4]])
})
