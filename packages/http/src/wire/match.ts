import { z } from '@hono/zod-openapi'
import { MATCH_STATUSES, type Match, type ServerSummary } from '@matchyard/core'
import { answerOf, given, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import { walking, word } from './query'
import { serverSummary } from './server-summary'
import { oneOf, region, string } from './shared'

type Team = Match['teams'][number]

const matchPlayer = answerOf<Team['players'][number]>()({
  player_id: required('playerId', string),
  lobby_id: required('lobbyId', string),
  role: required('role', nullable(string)),
  left_at: given('leftAt', {
    ...instant,
    answer: instant.answer.openapi({ description: 'Set when the player left while the match went on.' }),
  }),
})

const team = answerOf<Team>()({ name: required('name', string), players: required('players', listOf(matchPlayer)) })

const version = z.int().min(1).openapi({ description: 'Grows by one with every change.' })

/** A match with the server that it runs on. */
interface MatchThere extends Match {
  readonly server: ServerSummary | null
}

export const match = answerOf<MatchThere>()(
  {
    match_id: required('id', string),
    queue_id: required('queueId', string),
    status: required('status', oneOf(MATCH_STATUSES)),
    version: required('version', plain(version)),
    region: required('region', region),
    teams: required('teams', listOf(team)),
    server: required('server', nullable(serverSummary)),
    created_at: required('createdAt', instant),
    ended_at: required('endedAt', nullable(instant)),
  },
  'Match',
)

export const matchesQuery = queryOf({
  queue_id: optional('queueId', word),
  status: optional('status', oneOf(MATCH_STATUSES)),
  ...walking,
})
