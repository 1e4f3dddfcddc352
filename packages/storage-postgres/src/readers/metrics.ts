import type { Instant, LobbyStatus } from '@matchyard/core'
import type { QueueWaiting, StorageMetrics, WaitTotal } from '@matchyard/core/ports'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { dueJobs } from '../jobs'
import { totalStatements } from '../statements/totals'

export async function waiting(database: Database, queueKey?: string): Promise<QueueWaiting[]> {
  const { rows } =
    queueKey === undefined
      ? await database.read(totalStatements.waiting)
      : await database.read(totalStatements.waitingIn, [toColumn(queueKey)])
  return rows.map(({ queue_key, ...counts }) => ({ queueKey: fromColumn(queue_key), ...counts }))
}

export async function waits(database: Database, queueKey: string, since: Instant): Promise<WaitTotal[]> {
  const { rows } = await database.read(totalStatements.waits, [toColumn(queueKey), since])
  return rows.map(({ least_ms, most_ms, ...total }) => ({ ...total, leastMs: least_ms, mostMs: most_ms }))
}

export async function metrics(database: Database, now: Instant): Promise<StorageMetrics> {
  const [statuses, queues, due] = await Promise.all([
    database.read(totalStatements.lobbiesByStatus),
    waiting(database),
    dueJobs(database, now),
  ])
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const { status, n } of statuses.rows) lobbiesByStatus[status as LobbyStatus] = n
  const sum = (of: 'parties' | 'players') => queues.reduce((total, queue) => total + queue[of], 0)
  return {
    lobbiesByStatus,
    waitingParties: sum('parties'),
    waitingPlayers: sum('players'),
    jobsDue: due,
  }
}
