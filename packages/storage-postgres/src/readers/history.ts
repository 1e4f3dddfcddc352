import type { HistorySeries, Instant } from '@matchyard/core'
import type { HistoryCell, HistoryPart, HistoryPlace, HistoryQuery } from '@matchyard/core/ports'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { historyStatements } from '../statements/history'

export async function readHistory(database: Database, query: HistoryQuery): Promise<HistoryPart[]> {
  const { projectId, queueId, series, step, from, to, limit } = query
  const values = [toColumn(projectId), series, from, to, step, limit]
  const { rows } =
    queueId === undefined
      ? await database.read(historyStatements.ofProject, values)
      : await database.read(historyStatements.ofQueue, [...values, toColumn(queueId)])
  return rows.map((row) => ({ ...row, key: fromColumn(row.key) }))
}

export async function historyRows(
  database: Database,
  step: number,
  { slot, projectId, series, queueId, key }: HistoryPlace,
  before: Instant,
  limit: number,
): Promise<HistoryCell[]> {
  const after = [slot, toColumn(projectId), series, toColumn(queueId), toColumn(key)]
  const { rows } = await database.read(historyStatements.rows, [step, before, ...after, limit])
  return rows.map(({ project_id, queue_id, ...row }) => ({
    ...row,
    step,
    projectId: fromColumn(project_id),
    series: row.series as HistorySeries,
    queueId: fromColumn(queue_id),
    key: fromColumn(row.key),
  }))
}
