import type { Instant, LobbyStatus, StorageMetrics } from '@matchyard/core'
import { fromColumn } from '../column-text'
import type { Database } from '../database'
import { jobStatements } from '../statements/jobs'
import { totalStatements } from '../statements/totals'

export async function waiting(database: Database): Promise<{ queueKey: string; parties: number; players: number }[]> {
  const { rows } = await database.read(totalStatements.waiting)
  return rows.map(({ queue_key, ...counts }) => ({ queueKey: fromColumn(queue_key), ...counts }))
}

export async function metrics(database: Database, now: Instant): Promise<StorageMetrics> {
  const [statuses, queues, due] = await Promise.all([
    database.read(totalStatements.lobbiesByStatus),
    waiting(database),
    database.read(jobStatements.due, [now]),
  ])
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const { status, n } of statuses.rows) lobbiesByStatus[status as LobbyStatus] = n
  const sum = (of: 'parties' | 'players') => queues.reduce((total, queue) => total + queue[of], 0)
  return {
    lobbiesByStatus,
    waitingParties: sum('parties'),
    waitingPlayers: sum('players'),
    jobsDue: due.rows[0]?.n ?? 0,
    oldestDueAt: due.rows[0]?.oldest ?? undefined,
  }
}
