import { Draft } from '../commit/draft'
import { apply } from '../commit/transact'
import type { Service } from '../node/service'
import { HISTORY_STEPS, historySlot, minuteCell } from '../ports/storage/index'
import { MINUTE_MS, SECOND_MS } from '../shared/time'
import { type HistoryMark, markAt, readMark, writeMark } from './history-mark'
import { rolledUp } from './rolled-up'
import { samplesNow } from './samples'

/**
 * Milliseconds after the end of a minute at which its rows are rolled up. Commits of this minute are applied by then: a commit that takes
 * longer counts in the row of its minute alone.
 */
export const SETTLE_MS = 2 * MINUTE_MS
/** Maximum number of rows that one commit of the roll-up adds up, and maximum number of samples of one commit. */
export const ROLLED_AT_ONCE = 1_000
/** Maximum number of such commits in one run. After a pause, the next run follows a second later. */
export const SLICES_A_RUN = 10
/** Milliseconds between two runs when rows are left. */
const AGAIN_MS = 1 * SECOND_MS

/**
 * Samples the players who search and the servers that run, and adds the minutes that are over to the rows of the longer steps. Returns the time of the next run. Each
 * commit contains the progress with an expected version, so that no amount is added twice when a run is repeated or two nodes run at once.
 */
export async function rollUp(ctx: Service): Promise<number> {
  await sample(ctx)
  const isDone = await catchUp(ctx)
  const now = ctx.clock.now()
  return isDone ? historySlot(now, MINUTE_MS) + MINUTE_MS : now + AGAIN_MS
}

/** Rolls up at most SLICES_A_RUN slices. Returns whether no rows are left that could be rolled up. */
export async function catchUp(ctx: Service): Promise<boolean> {
  for (let slices = 0; slices < SLICES_A_RUN; slices++) {
    const outcome = await rollSlice(ctx)
    if (outcome !== 'more') return outcome === 'done'
  }
  return false
}

/** Adds one slice of rows of minutes to the longer steps. Returns `lost` when another node wrote progress at the same time. */
async function rollSlice(ctx: Service): Promise<'done' | 'more' | 'lost'> {
  const mark = await readMark(ctx)
  const now = ctx.clock.now()
  const before = historySlot(now - SETTLE_MS, MINUTE_MS)
  const from = markAt(mark, before)
  const rows = await ctx.storage.history.rows(HISTORY_STEPS['1m'], from, before, ROLLED_AT_ONCE)
  const last = rows.at(-1)
  if (last === undefined) return 'done'
  const draft = new Draft(now).history(...(await rolledUp(ctx, rows)))
  const { slot, projectId, series, queueId, key } = last
  writeMark(draft, mark, { ...mark.value, rolled: { slot, projectId, series, queueId, key } })
  if ((await apply(ctx, draft)) !== undefined) return 'lost'
  return rows.length < ROLLED_AT_ONCE ? 'done' : 'more'
}

/**
 * Writes one sample of each queue in which players search, and of the servers that run. Each minute has at most one sample of each, whichever
 * node takes it.
 */
async function sample(ctx: Service): Promise<void> {
  let mark: HistoryMark = await readMark(ctx)
  const now = ctx.clock.now()
  const slot = historySlot(now, MINUTE_MS)
  const { sampled } = mark.value
  const isGoingOn = sampled !== undefined && sampled.slot === slot
  if (isGoingOn && sampled.queueKey === null) return
  const done = isGoingOn ? (sampled.queueKey ?? '') : ''
  const samples = (await samplesNow(ctx)).filter(({ name }) => name > done)
  for (let from = 0; from < samples.length; from += ROLLED_AT_ONCE) {
    const some = samples.slice(from, from + ROLLED_AT_ONCE)
    const isLast = from + ROLLED_AT_ONCE >= samples.length
    const draft = new Draft(now).history(...some.map(({ value }) => minuteCell(now, value)))
    const value = { ...mark.value, sampled: { slot, queueKey: isLast ? null : (some.at(-1)?.name ?? null) } }
    const next = writeMark(draft, mark, value)
    if ((await apply(ctx, draft)) !== undefined) return
    mark = next
  }
}
