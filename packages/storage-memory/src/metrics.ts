import type { Instant } from '@matchyard/core'
import type { StorageMetrics } from '@matchyard/core/ports'
import { dueJobs } from './jobs'
import { type MemoryData, storedValues } from './memory-data'

export function metrics(data: MemoryData, now: Instant): StorageMetrics {
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const lobby of storedValues(data, 'lobby')) lobbiesByStatus[lobby.status] += 1
  const queues = [...data.waiting.values()]
  return {
    lobbiesByStatus,
    waitingParties: queues.reduce((sum, { parties }) => sum + parties, 0),
    waitingPlayers: queues.reduce((sum, { players }) => sum + players, 0),
    jobsDue: dueJobs(data, now),
  }
}
