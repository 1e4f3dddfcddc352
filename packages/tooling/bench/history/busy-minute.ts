import type { HistorySeries } from '@matchyard/core'
import { HOUR_MS, MINUTE_MS } from '@matchyard/core/domain'
import { addedHistory, type HistoryCell, minuteCell } from '@matchyard/core/ports'
import { FakeRandom } from '@matchyard/testkit'

/** Matches a minute of the busiest queue in its best hour. Queue n has a (1 + n)th of that. */
const BUSIEST = 30

const seeded = new FakeRandom(7)
/** Returns a number from 0 to 1, 1 excluded. */
const random = () => seeded.int(1_000_000) / 1_000_000

/**
 * Returns the rows that a minute of some queues counts. Each queue follows a day's curve. A queue without matches in a minute has, at most,
 * players who search; small queues are idle for most of the night.
 */
export function busyMinute(projectId: string, queues: number, now: number): HistoryCell[] {
  const hour = (now % (24 * HOUR_MS)) / HOUR_MS
  const curve = 0.5 - 0.5 * Math.cos((hour / 24) * 2 * Math.PI)
  const cells: HistoryCell[] = []
  for (let queue = 0; queue < queues; queue++) {
    const expected = (BUSIEST * curve) / (1 + queue)
    const matches = Math.floor(expected) + (random() < expected % 1 ? 1 : 0)
    const add = (series: HistorySeries, key: string, sum: number, count = 1) =>
      cells.push(minuteCell(now, { projectId, queueId: `q${queue}`, series, key, count, sum, most: sum }))
    if (expected > 0.2) add('searching', '', 1 + Math.floor(expected * 2))
    if (matches === 0) continue
    add('matches', '', 0, matches)
    for (let party = 0; party < 2 * matches; party++) {
      const waitedMs = -Math.log(1 - random()) * 20_000
      const bucket = waitedMs < 1_000 ? 0 : Math.min(39, 1 + Math.floor(Math.log(waitedMs / 1_000) / Math.log(1.25)))
      add('waits', `${bucket}`.padStart(2, '0'), Math.round(waitedMs))
    }
    if (random() < 0.2) add('exits', 'cancelled', 0)
    if (queue === 0 && now % (10 * MINUTE_MS) === 0) add('crashes', `arena@${Math.floor(hour)}`, 0)
    if (random() < 0.5) add('cost', '1x-1g', 4_000, 600)
  }
  return addedHistory(cells)
}
