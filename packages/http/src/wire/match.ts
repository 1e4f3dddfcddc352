import { z } from '@hono/zod-openapi'
import {
  EXIT_REASONS,
  type ExitReason,
  MATCH_STATUSES,
  type Match,
  type MatchOnServer,
  type ServerSummary,
} from '@matchyard/core'
import { askedSeats } from './backfill'
import {
  type AnswerCodec,
  answerOf,
  given,
  instant,
  listOf,
  nullable,
  optional,
  plain,
  queryOf,
  required,
} from './codec/index'
import { walking, word } from './query'
import { serverSummary } from './server-summary'
import { oneOf, region, string, whole } from './shared'

type Team = Match['teams'][number]

const matchPlayer = answerOf<Team['players'][number]>()({
  player_id: required('playerId', string, 'The player; empty for one who was erased.'),
  lobby_id: required('lobbyId', string, 'The lobby from which the player came.'),
  role: required('role', nullable(string), 'The role in the team; null where the queue has none.'),
  left_at: given('leftAt', {
    ...instant,
    answer: instant.answer.openapi({ description: 'Set when the player left while the match went on.' }),
  }),
})

const team = answerOf<Team>()({
  name: required('name', string, "The team's name."),
  players: required('players', listOf(matchPlayer), 'Its players, those who have left too.'),
})

const version = z.int().min(1).openapi({ description: 'Grows by one with every change.' })

/** A match with the server that it runs on, and how it ended. */
interface MatchThere extends Omit<Match, 'startedAt'> {
  readonly server: ServerSummary | null
  readonly startedAt: number | null
  readonly endReason: ExitReason | null
  readonly exitCode: number | null
  readonly exitSignal: string | null
}

const matchThere = answerOf<MatchThere>()(
  {
    match_id: required('id', string, 'Its id.'),
    queue_id: required('queueId', string, 'The queue that it was made in.'),
    status: required(
      'status',
      oneOf(MATCH_STATUSES),
      '`proposed`: its players are asked; `launching`: its server starts; `running`: it is played; `ended`.',
    ),
    version: required('version', plain(version)),
    region: required('region', region, 'Where it is played.'),
    teams: required('teams', listOf(team), 'Who plays, team by team.'),
    server: required('server', nullable(serverSummary), 'Where it is played; null where it has no server.'),
    backfill: given(
      'backfill',
      askedSeats,
      'The open seats for which players are looked for; absent while none are, and for client keys.',
    ),
    created_at: required('createdAt', instant, 'When it was made.'),
    started_at: required(
      'startedAt',
      nullable(instant),
      'When its players could play; null where it never came to that.',
    ),
    ended_at: required('endedAt', nullable(instant), 'When it ended; null while it goes on.'),
    end_reason: required(
      'endReason',
      nullable(oneOf(EXIT_REASONS)),
      'Why it ended, in the words of `last_exit`; null while it goes on.',
    ),
    exit_code: required(
      'exitCode',
      nullable(whole),
      "The exit code of its server's process, where the end of that ended the match; null otherwise, and for client keys.",
    ),
    exit_signal: required(
      'exitSignal',
      nullable(string),
      'The signal that ended that process, such as `SIGSEGV`; null otherwise, and for client keys.',
    ),
  },
  'Match',
  'A match.',
)

export const match: AnswerCodec<MatchOnServer, typeof matchThere.answer> = {
  answer: matchThere.answer,
  encode: ({ match: { startedAt = null, ending, ...rest }, server }) =>
    matchThere.encode({
      ...rest,
      server,
      startedAt,
      endReason: ending?.reason ?? null,
      exitCode: ending?.exitCode ?? null,
      exitSignal: ending?.exitSignal ?? null,
    }),
}

export const matchesQuery = queryOf({
  queue_id: optional('queueId', word, 'Only matches of this queue.'),
  status: optional('status', oneOf(MATCH_STATUSES), 'Only matches in this status.'),
  end_reason: optional('endReason', oneOf(EXIT_REASONS), 'Only matches that ended for this reason.'),
  ...walking,
})
