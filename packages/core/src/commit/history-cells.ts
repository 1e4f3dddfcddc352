import type { HistorySeries } from '../catalog/history-series'
import { EXIT_REASONS } from '../lobby/last-exit'
import type { Match } from '../match/match'
import {
  addedHistory,
  EXITS,
  type HistoryCell,
  minuteCell,
  type QueueFigure,
  type Write,
  waitCellsOf,
} from '../ports/storage/index'
import { waitBucket } from '../reads/wait-buckets'
import type { Instant } from '../shared/time'

/**
 * Returns the rows of the history to which a commit adds: the rows that its use case gives, those of the matches that it makes, and those of
 * the lobbies that return to `waiting`. All belong to the minute of the commit.
 */
export function historyCells(
  at: Instant,
  given: readonly HistoryCell[],
  writes: Iterable<Write>,
  figures: readonly QueueFigure[],
): readonly HistoryCell[] {
  const cells = [...given, ...figures.flatMap((figure) => cellsOfExit(figure, at))]
  for (const write of writes) if (write.kind === 'match' && 'put' in write) cells.push(...cellsOfMatch(write.put, at))
  return cells.length < 2 ? cells : addedHistory(cells)
}

function cellsOfMatch(match: Match, at: Instant): HistoryCell[] {
  const isMade = waitCellsOf(match).some(({ players }) => players === 0)
  if (!isMade) return []
  const { projectId, queueId } = match
  const cell = (series: HistorySeries, key: string, value: number) =>
    minuteCell(at, { projectId, queueId, series, key, count: 1, sum: value, most: value })
  return [
    cell('matches', '', 0),
    ...match.waits.map(({ waitedMs }) => {
      const waited = Math.max(0, waitedMs)
      return cell('waits', waitBucket(waited), waited)
    }),
  ]
}

function cellsOfExit({ queueKey, players, bucket, count }: QueueFigure, at: Instant): HistoryCell[] {
  const reason = EXIT_REASONS[bucket]
  if (players !== EXITS || reason === undefined) return []
  return [minuteCell(at, { ...queueOwner(queueKey), series: 'exits', key: reason, count, sum: 0, most: 0 })]
}

/** Returns the project and the queue of a queue key. A project's id has no slash. */
export function queueOwner(queueKey: string): Pick<HistoryCell, 'projectId' | 'queueId'> {
  const slash = queueKey.indexOf('/')
  return { projectId: queueKey.slice(0, slash), queueId: queueKey.slice(slash + 1) }
}
