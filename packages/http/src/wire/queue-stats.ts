import { z } from '@hono/zod-openapi'
import { EXIT_REASONS } from '@matchyard/core'
import { type AnswerCodec, answerOf, described, nullable, required } from './codec/index'
import type { QueueStats } from './core-types'
import { number, whole } from './shared'

const seconds = nullable(number)

const waits = answerOf<QueueStats['waitSeconds']>()({
  p50: required(seconds, 'The median, in seconds; null where nobody was matched.'),
  p90: required(seconds, 'Nine of ten waited no longer, in seconds; null where nobody was matched.'),
  p99: required(seconds, '99 of 100 waited no longer, in seconds; null where nobody was matched.'),
})

const proposals = answerOf<QueueStats['proposalsLastHour']>()({
  made: required(whole, 'So many were proposed.'),
  accepted: required(whole, 'To so many everybody said yes.'),
  declined: required(whole, 'To so many somebody said no.'),
  expired: required(whole, 'To so many somebody did not answer.'),
})

const EXITS: Readonly<Record<(typeof EXIT_REASONS)[number], string>> = {
  cancelled: 'Called off.',
  timeout: 'Nobody was found in time.',
  player_left: 'A player left.',
  declined: 'A player said no to a match.',
  not_answered: 'A player did not answer.',
  unmatchable: 'They could not be matched any more, as the queue is now.',
  launch_failed: "The match's server did not start.",
  no_room: 'There was no room for a server.',
  build_missing: 'The queue names a build that is not there.',
  match_ended: 'The match was over.',
  server_stopped: "The match's server was ended.",
  server_failed: "The match's server failed.",
  server_expired: "The match's server had lived for its `ttl`.",
  backend_ended: 'A backend ended the match.',
  matched_elsewhere: 'A player is in another match.',
  banned: 'A player is banned.',
  match_expired: 'The match ran for its `match_ttl`, and nobody ended it.',
}

const exits: AnswerCodec<QueueStats['exitsLastHour'], z.ZodObject> = {
  answer: z.object(Object.fromEntries(EXIT_REASONS.map((reason) => [reason, described(z.int(), EXITS[reason])]))),
  encode: (counts) => counts,
}

const waitingForRoom = answerOf<QueueStats['waitingForRoom']>()({
  servers: required(whole, 'So many servers.'),
  oldestSeconds: required(seconds, 'The first of them for so many seconds; null where there is none.'),
})

const warm = answerOf<QueueStats['warm']>()({
  ready: required(whole, 'So many wait for a match, as they were seen within the last 15 seconds.'),
  allocated: required(whole, 'So many live servers of its matches had waited.'),
})

export const queueStats = answerOf<QueueStats>()(
  {
    playersSearching: required(whole, 'So many players search.'),
    lobbiesSearching: required(whole, 'So many lobbies do.'),
    matchesLastHour: required(whole, 'Of the last 59 to 60 minutes; direct starts do not count.'),
    proposalsLastHour: required(proposals, 'What became of the matches that players were asked about.'),
    exitsLastHour: required(
      exits,
      'How lobbies of it came back to `waiting` in the last hour: a count for every reason.',
    ),
    waitSeconds: required(
      waits,
      'What the lobbies matched in the last 55 to 60 minutes waited: each figure is within a tenth of the true one (below a second, within a second), and exact where few were matched. The figures of the hour are at most a second old.',
    ),
    recentWaitSeconds: required(waits, 'The same of the last 5 to 10 minutes: how long one waits now.'),
    estimatedWaitSeconds: required(
      seconds,
      'So many seconds a party that enters now will probably wait; null where it cannot be said.',
    ),
    waitingForRoom: required(waitingForRoom, 'Launches that wait until there is room.'),
    warm: required(warm, 'Servers that were started before their match (`server_settings.warm`).'),
  },
  'QueueStats',
  'How a queue does.',
)
