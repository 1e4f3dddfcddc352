import { readHistory } from '../use-cases/history/read-history'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Figures of a project over time, for charts. */
export const history = {
  /**
   * Returns series of figures of a project, or of one of its queues, in slots of a minute, 5 minutes, an hour or a day. Minutes are kept for
   * 2 days, 5 minutes for 14 days, hours for 90 days and days for 2 years. An answer has at most 5,000 points, and 2,000 of one
   * series. Slots without a point had nothing to count. Slots longer than a minute get the figures of a minute about three minutes later. Rejects with `PROJECT_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  read: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'series', 'queueId?', 'from?', 'to?', 'step?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: readHistory,
  }),
}

/**
 * Figures of a project over time, for charts.
 *
 * @interface
 */
export type HistoryCalls = CallsOf<typeof history>
