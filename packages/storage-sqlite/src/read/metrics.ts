import type { Instant } from '@matchyard/core'
import type { StorageMetrics } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import { dueJobs } from './due-jobs'

export function metrics(statements: Statements, now: Instant): StorageMetrics {
  const { lobbies, streams } = statements
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const { status, n } of lobbies.byStatus.all()) lobbiesByStatus[status] = n
  let waitingParties = 0
  let waitingPlayers = 0
  for (const queue of streams.waiting.iterate()) {
    waitingParties += queue.parties
    waitingPlayers += queue.players
  }
  return {
    lobbiesByStatus,
    waitingParties,
    waitingPlayers,
    jobsDue: dueJobs(statements, now),
  }
}
