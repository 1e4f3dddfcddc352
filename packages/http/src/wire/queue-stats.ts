import { z } from '@hono/zod-openapi'
import type { QueueStats } from './core-types'

const seconds = z.number().nullable()

export const queueStatsSchema = z
  .object({
    players_searching: z.int(),
    lobbies_searching: z.int(),
    matches_last_hour: z.int().openapi({ description: 'Of the last 59 to 60 minutes; direct starts do not count.' }),
    wait_seconds: z.object({ p50: seconds, p90: seconds, p99: seconds }).openapi({
      description:
        'What the lobbies matched in the last 55 to 60 minutes waited: each figure is within a tenth of the true one (below a second, within a second), and exact where few were matched. The figures of the hour are at most a second old.',
    }),
    estimated_wait_seconds: seconds,
  })
  .openapi('QueueStats')

export const toQueueStatsWire = (stats: QueueStats) => ({
  players_searching: stats.playersSearching,
  lobbies_searching: stats.lobbiesSearching,
  matches_last_hour: stats.matchesLastHour,
  wait_seconds: { p50: stats.waitSeconds.p50, p90: stats.waitSeconds.p90, p99: stats.waitSeconds.p99 },
  estimated_wait_seconds: stats.estimatedWaitSeconds,
})
