import type { HistorySeries, HistoryStep } from '../../catalog/history-series'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import {
  HISTORY_KEPT_MS,
  HISTORY_SERIES,
  HISTORY_SLOTS_READ,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  historySlot,
  WHOLE_PROJECT,
} from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { requireProject } from '../../reads/require'
import { HOUR_MS, type Instant } from '../../shared/time'
import { type HistoryPoint, pointsOf } from './points'

export interface ReadHistoryInput extends InProject {
  /** Series that are read, each once. */
  readonly series: readonly HistorySeries[]
  /** Queue whose figures are read. Absent: the sums over all queues of the project. */
  readonly queueId?: string | undefined
  /** Begin of the time that is read. Absent: an hour before `to`. */
  readonly from?: Instant | undefined
  /** End of the time that is read. Absent: now. */
  readonly to?: Instant | undefined
  /**
   * Length of a slot. Absent: the shortest step that is kept since `from` and gives at most 500 points for each series, and 5,000 in all.
   */
  readonly step?: HistoryStep | undefined
}

/** Points of one series, oldest first. Slots in which nothing was counted have no point: their figures are 0. */
export interface HistoryLine {
  /** Name of the series. */
  readonly name: HistorySeries
  /** Points, oldest first. */
  readonly points: readonly HistoryPoint[]
}

/** Series of a project or a queue over time. */
export interface History {
  /** Queue whose figures were read; null for the sums over all queues. */
  readonly queueId: string | null
  /** Start of the first slot. */
  readonly from: Instant
  /** End of the last slot. */
  readonly to: Instant
  /** Length of the slots. */
  readonly step: HistoryStep
  /** Series, in the order in which they were requested. */
  readonly series: readonly HistoryLine[]
}

/** Maximum number of slots of all series of one answer together. */
export const MAX_HISTORY_POINTS = 5_000
/** Maximum number of points of a series for which a step is chosen. */
export const CHOSEN_HISTORY_POINTS = 500
/** Maximum number of stored sums that one answer reads. */
export const MAX_HISTORY_PARTS = 100_000
/** Last instant that JavaScript dates can represent. */
const LAST_INSTANT = 8.64e15

/**
 * Returns series of the history. The figures of the last three minutes of each slot longer than a minute may be missing. Throws
 * PROJECT_NOT_FOUND, VALIDATION_FAILED.
 */
export function readHistory(ctx: Service, input: ReadHistoryInput): Promise<History> {
  return unavailableInsteadOf(async () => {
    const asked = timeOf(input, ctx.clock.now())
    await requireProject(ctx, input.projectId)
    const length = HISTORY_STEPS[asked.step]
    const query = {
      ...{ projectId: input.projectId, step: length, from: asked.from, to: asked.to },
      ...queueOf(input.queueId, asked.step),
    }
    const series: HistoryLine[] = []
    let left = MAX_HISTORY_PARTS
    for (const name of input.series) {
      const parts = await ctx.storage.history.read({ ...query, series: name, limit: left + 1 })
      left -= parts.length
      if (left < 0) throw invalid('to', 'must be nearer to the begin: the answer is too long')
      series.push({ name, points: pointsOf(name, parts, length) })
    }
    return { queueId: input.queueId ?? null, ...asked, series }
  })
}

/** Returns the queue whose rows are read. Minutes have no rows with the sums of a project, so the rows of all queues are added up. */
function queueOf(queueId: string | undefined, step: HistoryStep): { readonly queueId?: string } {
  if (queueId !== undefined) return { queueId }
  return step === '1m' ? {} : { queueId: WHOLE_PROJECT }
}

const invalid = (path: string, message: string) => validationFailed([{ path, message }])

interface Asked {
  readonly from: Instant
  readonly to: Instant
  readonly step: HistoryStep
}

function timeOf(input: ReadHistoryInput, now: Instant): Asked {
  const { series, queueId } = input
  const isSeries = Array.isArray(series) && series.length > 0 && new Set(series).size === series.length
  if (!isSeries || !series.every((name) => HISTORY_SERIES.includes(name)))
    throw invalid('series', `must be one or more of ${HISTORY_SERIES.join(', ')}, each once`)
  if (queueId !== undefined && typeof queueId !== 'string') throw invalid('queueId', 'must be a text')
  const to = instantOf('to', input.to ?? now + 1)
  const from = instantOf('from', input.from ?? Math.max(0, to - HOUR_MS))
  if (from >= to) throw invalid('from', 'must be before the end')
  if (input.step !== undefined && !HISTORY_STEP_NAMES.includes(input.step))
    throw invalid('step', `must be one of ${HISTORY_STEP_NAMES.join(', ')}`)
  const step = input.step ?? stepFor(from, to, now, series.length)
  const length = HISTORY_STEPS[step]
  const asked = { from: historySlot(from, length), to: historySlot(to - 1, length) + length, step }
  const slots = (asked.to - asked.from) / length
  if (slots > HISTORY_SLOTS_READ)
    throw invalid('step', `must give at most ${HISTORY_SLOTS_READ} points of a series; each series would have ${slots}`)
  const points = slots * series.length
  if (points > MAX_HISTORY_POINTS)
    throw invalid('step', `must give at most ${MAX_HISTORY_POINTS} points; the answer would have ${points}`)
  return asked
}

function instantOf(path: 'from' | 'to', at: unknown): Instant {
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > LAST_INSTANT)
    throw invalid(path, 'must be an instant: milliseconds since 1970')
  return at
}

/** Returns the shortest step whose rows still exist since `from`, and that gives few enough points. */
function stepFor(from: Instant, to: Instant, now: Instant, lines: number): HistoryStep {
  const most = Math.min(CHOSEN_HISTORY_POINTS, Math.floor(MAX_HISTORY_POINTS / lines) - 1)
  const isKept = (name: HistoryStep) => now - HISTORY_KEPT_MS[name] <= from + HISTORY_STEPS[name]
  return HISTORY_STEP_NAMES.find((name) => (to - from) / HISTORY_STEPS[name] <= most && isKept(name)) ?? '1d'
}
