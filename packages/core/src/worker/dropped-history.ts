import type { Service } from '../node/service'
import { HISTORY_KEPT_MS, HISTORY_STEPS } from '../ports/storage/index'
import { markAt, readMark } from './history-mark'
import { ROLLED_AT_ONCE } from './roll-up'

/** Maximum number of reads that count the rows which the pruning removes. */
const READS = 100

/**
 * Counts the rows of minutes that the next pruning removes although they are not rolled up, for the metrics of this node, and logs them. It
 * happens only when the service was down for about two days with much to roll up. The longer steps then lack these amounts.
 */
export async function countDropped(ctx: Service): Promise<void> {
  const before = ctx.clock.now() - HISTORY_KEPT_MS['1m']
  const mark = await readMark(ctx)
  let place = markAt(mark, before)
  let rows = 0
  for (let reads = 0; reads < READS; reads++) {
    const some = await ctx.storage.history.rows(HISTORY_STEPS['1m'], place, before, ROLLED_AT_ONCE)
    rows += some.length
    const last = some.at(-1)
    if (last === undefined || some.length < ROLLED_AT_ONCE) break
    const { slot, projectId, series, queueId, key } = last
    place = { slot, projectId, series, queueId, key }
  }
  if (rows === 0) return
  if (ctx.node.historyDropped.count === 0)
    ctx.logger.warn('minutes of the history are removed before they were rolled up; charts of longer steps lack them', {
      rows,
    })
  ctx.node.historyDropped.count += rows
}
