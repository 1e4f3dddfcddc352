import type { HistoryCell, HistoryPart } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

/** Input of the statements that read a series. */
export interface Series {
  readonly projectId: string
  readonly series: string
  readonly queueId: string
  readonly step: number
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** Input of the statement that reads rows in their order. */
export interface Rows {
  readonly step: number
  readonly slot: number
  readonly projectId: string
  readonly series: string
  readonly queueId: string
  readonly key: string
  readonly before: number
  readonly limit: number
}

// `cross join` keeps the order of the tables: each slot is one search in the primary key.
const parts = (queue: string) => `
  with recursive slots (at) as (
    select @from where @from < @to union all select at + @step from slots where at + @step < @to
  )
  select slot, key, sum(count) as count, sum(sum) as sum, max(most) as most
  from slots cross join history
  where step = @step and slot = at and project_id = @projectId and series = @series ${queue}
  group by slot, key order by slot, key limit @limit`

/** Statements that read the history. */
export const historyStatements = (db: Database) => ({
  historyOfProject: prepare<[Omit<Series, 'queueId'>], HistoryPart>(db, parts('')),
  historyOfQueue: prepare<[Series], HistoryPart>(db, parts('and queue_id = @queueId')),
  historyRows: prepare<[Rows], HistoryCell>(
    db,
    `
    select step, slot, project_id as projectId, series, queue_id as queueId, key, count, sum, most from history
    where step = @step and slot < @before
      and (slot, project_id, series, queue_id, key) > (@slot, @projectId, @series, @queueId, @key)
    order by slot, project_id, series, queue_id, key limit @limit`,
  ),
})
