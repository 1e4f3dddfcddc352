import type { Instant, StorageMetrics } from '@matchyard/core'
import { dueJobs } from './jobs'
import { type MemoryData, storedValues } from './memory-data'

export function metrics(data: MemoryData, now: Instant): StorageMetrics {
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const lobby of storedValues(data, 'lobby')) lobbiesByStatus[lobby.status] += 1
  const tickets = storedValues(data, 'ticket')
  const due = dueJobs(data, now)
  return {
    lobbiesByStatus,
    waitingParties: tickets.length,
    waitingPlayers: tickets.reduce((sum, ticket) => sum + ticket.players.length, 0),
    jobsDue: due.length,
    oldestDueAt: due[0]?.runAt,
  }
}
