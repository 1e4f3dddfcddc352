import type { HistoryPart, HistoryQuery } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

export function readHistory({ lists }: Statements, { queueId, ...query }: HistoryQuery): HistoryPart[] {
  return queueId === undefined ? lists.historyOfProject.all(query) : lists.historyOfQueue.all({ ...query, queueId })
}
