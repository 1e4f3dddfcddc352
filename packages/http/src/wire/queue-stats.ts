import { z } from '@hono/zod-openapi'
import { EXIT_REASONS } from '@matchyard/core'
import { type AnswerCodec, answerOf, described, nullable, required } from './codec/index'
import type { QueueStats } from './core-types'
import { number, whole } from './shared'

const seconds = nullable(number)

export const waitPercentiles = answerOf<QueueStats['waitSeconds']>()({
  p50: required(seconds, 'Median in seconds; null without matches.'),
  p90: required(seconds, 'p90 in seconds; null without matches.'),
  p99: required(seconds, 'p99 in seconds; null without matches.'),
})

const proposals = answerOf<QueueStats['proposalsLastHour']>()({
  made: required(whole, 'Number of proposed matches.'),
  accepted: required(whole, 'Number that all players accepted.'),
  declined: required(whole, 'Number that a player declined.'),
  expired: required(whole, 'Number that a player did not answer.'),
})

const EXITS: Readonly<Record<(typeof EXIT_REASONS)[number], string>> = {
  cancelled: 'Cancelled by a player.',
  timeout: 'No match was found in time.',
  player_left: 'A player left.',
  declined: 'A player declined a match.',
  not_answered: 'A player did not answer a proposal.',
  unmatchable: "The queue's settings no longer allow a match of the lobby.",
  launch_failed: "The match's server did not start.",
  no_room: 'No capacity for a server.',
  build_missing: 'The queue names a build that does not exist.',
  match_ended: 'The match ended.',
  server_stopped: "The match's server was stopped.",
  server_failed: "The match's server failed.",
  server_expired: "The match's server reached its `ttl`.",
  backend_ended: 'A backend ended the match.',
  matched_elsewhere: 'A player is in another match.',
  banned: 'A player is banned.',
  match_expired: 'The match reached its `match_ttl`.',
}

const exits: AnswerCodec<QueueStats['exitsLastHour'], z.ZodObject> = {
  answer: z.object(Object.fromEntries(EXIT_REASONS.map((reason) => [reason, described(z.int(), EXITS[reason])]))),
  encode: (counts) => counts,
}

const waitingForRoom = answerOf<QueueStats['waitingForRoom']>()({
  servers: required(whole, 'Number of servers.'),
  oldestSeconds: required(seconds, 'Wait of the first one in seconds; null without one.'),
})

const warm = answerOf<QueueStats['warm']>()({
  ready: required(whole, 'Number of servers that wait for a match, at most 15 seconds old.'),
  allocated: required(whole, 'Number of live servers with a match that were warm before.'),
})

export const queueStats = answerOf<QueueStats>()(
  {
    playersSearching: required(whole, 'Number of players who search.'),
    lobbiesSearching: required(whole, 'Number of lobbies that search.'),
    matchesLastHour: required(whole, 'Matches of the last 59 to 60 minutes, without direct starts.'),
    proposalsLastHour: required(proposals, 'Outcomes of proposed matches.'),
    exitsLastHour: required(exits, 'Returns of lobbies to `waiting` in the last hour, counted by reason.'),
    waitSeconds: required(
      waitPercentiles,
      'Wait of the lobbies that were matched in the last 55 to 60 minutes. Each figure differs from the exact wait by at most 10 %, or by at most one second if the wait is below one second; with few matches the figures are exact. They are at most one second old.',
    ),
    recentWaitSeconds: required(waitPercentiles, 'The same for the last 5 to 10 minutes.'),
    estimatedWaitSeconds: required(
      seconds,
      'Expected wait in seconds of a party that enters now; null when it is unknown.',
    ),
    waitingForRoom: required(waitingForRoom, 'Launches that wait for capacity.'),
    warm: required(warm, 'Warm servers, started before their match (`server_settings.warm`).'),
  },
  'QueueStats',
  'Statistics of a queue.',
)
