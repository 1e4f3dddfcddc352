import { z } from '@hono/zod-openapi'
import { EXIT_REASONS } from '@matchyard/core'
import { type AnswerCodec, answerOf, nullable, plain, required } from './codec/index'
import type { QueueStats } from './core-types'
import { number, whole } from './shared'

const seconds = nullable(number)

const waits = answerOf<QueueStats['waitSeconds']>()({
  p50: required('p50', seconds),
  p90: required('p90', seconds),
  p99: required('p99', seconds),
})

const proposals = answerOf<QueueStats['proposalsLastHour']>()({
  made: required('made', whole),
  accepted: required('accepted', whole),
  declined: required('declined', whole),
  expired: required('expired', whole),
})

const exits: AnswerCodec<QueueStats['exitsLastHour'], z.ZodObject> = {
  answer: z.object(Object.fromEntries(EXIT_REASONS.map((reason) => [reason, z.int()]))),
  encode: (counts) => counts,
}

const waitingForRoom = answerOf<QueueStats['waitingForRoom']>()({
  servers: required('servers', whole),
  oldest_seconds: required('oldestSeconds', seconds),
})

export const queueStats = answerOf<QueueStats>()(
  {
    players_searching: required('playersSearching', whole),
    lobbies_searching: required('lobbiesSearching', whole),
    matches_last_hour: required(
      'matchesLastHour',
      plain(z.int().openapi({ description: 'Of the last 59 to 60 minutes; direct starts do not count.' })),
    ),
    proposals_last_hour: required('proposalsLastHour', proposals),
    exits_last_hour: required('exitsLastHour', exits),
    wait_seconds: required('waitSeconds', {
      ...waits,
      answer: waits.answer.openapi({
        description:
          'What the lobbies matched in the last 55 to 60 minutes waited: each figure is within a tenth of the true one (below a second, within a second), and exact where few were matched. The figures of the hour are at most a second old.',
      }),
    }),
    recent_wait_seconds: required('recentWaitSeconds', {
      ...waits,
      answer: waits.answer.openapi({
        description: 'The same of the last 5 to 10 minutes: how long one waits now.',
      }),
    }),
    estimated_wait_seconds: required('estimatedWaitSeconds', seconds),
    waiting_for_room: required('waitingForRoom', waitingForRoom),
  },
  'QueueStats',
)
