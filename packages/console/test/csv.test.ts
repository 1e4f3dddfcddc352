import type { History } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { costByQueue, costRows } from '../src/page/rooms/usage/cost-by-queue'
import { csvOf } from '../src/page/ui/csv'

it('writes cells that a spreadsheet reads as they are, and runs no formula of another person', () => {
  expect(
    csvOf([
      ['a', 1, null],
      ['b,"c"', 'd\ne'],
    ]),
  ).toBe('a,1,\r\n"b,""c""","d\ne"\r\n')
  expect(csvOf([['=1+2', '@x', '+1', '-1', '\tx']])).toBe("'=1+2,'@x,'+1,'-1,'\tx\r\n")
  expect(csvOf([[-1]])).toBe('-1\r\n')
})

const [first, second] = ['2026-03-13T00:00:00.000Z', '2026-03-14T00:00:00.000Z']

const cost = (queueId: string | null, ...values: readonly number[]): History => ({
  ...{ queue_id: queueId, from: first, to: second, step: '1d' },
  series: [
    { name: 'cost', points: values.map((value, place) => ({ at: place === 0 ? first : second, value: value * 1e6 })) },
  ],
})

it('divides the cost of a project by queue and day; the rest belongs to other game servers', () => {
  const divided = costByQueue(cost(null, 10, 4), [cost('casual', 1, 0), cost('ranked', 6, 3), cost('empty')])
  expect(divided.total).toBe(14)
  expect(divided.queues.map(({ label, cost: own }) => [label, own])).toEqual([
    ['ranked', 9],
    ['casual', 1],
    ['Other game servers', 4],
  ])
  expect(costRows(divided)).toEqual([
    ['from', 'queue', 'cost_usd'],
    [first, 'ranked', 6],
    [first, 'casual', 1],
    [first, null, 3],
    [second, 'ranked', 3],
    [second, null, 1],
  ])
})
