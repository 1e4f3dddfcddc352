import { z } from '@hono/zod-openapi'
import { EXIT_REASONS, MATCH_STATUSES, type Match, type MatchOnServer } from '@matchyard/core'
import { askedSeats } from './backfill'
import {
  type AnswerCodec,
  answerOf,
  given,
  instant,
  listOf,
  NAMES_OF,
  nullable,
  optional,
  orNull,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import { walking, word } from './query'
import { serverSummary } from './server-summary'
import { oneOf, region, string, whole } from './shared'

type Team = Match['teams'][number]

const matchPlayer = answerOf<Team['players'][number]>()({
  playerId: required(string, 'The player; empty for one who was erased.'),
  lobbyId: required(string, 'The lobby from which the player came.'),
  role: required(nullable(string), 'The role in the team; null where the queue has none.'),
  leftAt: given(instant, 'Set when the player left while the match went on.'),
})

const team = answerOf<Team>()({
  name: required(string, "The team's name."),
  players: required(listOf(matchPlayer), 'Its players, those who have left too.'),
})

/** A match with the server that it runs on. */
type MatchThere = Match & Pick<MatchOnServer, 'server'>

const matchThere = answerOf<MatchThere>(NAMES_OF.match)(
  {
    id: required(string, 'Its id.'),
    queueId: required(string, 'The queue that it was made in.'),
    status: required(
      oneOf(MATCH_STATUSES),
      '`proposed`: its players are asked; `launching`: its server starts; `running`: it is played; `ended`.',
    ),
    version: required(plain(z.int().min(1)), 'Grows by one with every change.'),
    region: required(region, 'Where it is played.'),
    teams: required(listOf(team), 'Who plays, team by team.'),
    server: required(nullable(serverSummary), 'Where it is played; null where it has no server.'),
    backfill: given(
      askedSeats,
      'The open seats for which players are looked for; absent while none are, and for client keys.',
    ),
    createdAt: required(instant, 'When it was made.'),
    startedAt: required(orNull(instant), 'When its players could play; null where it never came to that.'),
    endedAt: required(nullable(instant), 'When it ended; null while it goes on.'),
    endReason: told(
      orNull(oneOf(EXIT_REASONS)),
      ({ ending }: MatchThere) => ending?.reason,
      'Why it ended, in the words of `last_exit`; null while it goes on.',
    ),
    exitCode: told(
      orNull(whole),
      ({ ending }: MatchThere) => ending?.exitCode,
      "The exit code of its server's process, where the end of that ended the match; null otherwise, and for client keys.",
    ),
    exitSignal: told(
      orNull(string),
      ({ ending }: MatchThere) => ending?.exitSignal,
      'The signal that ended that process, such as `SIGSEGV`; null otherwise, and for client keys.',
    ),
  },
  'Match',
  'A match.',
)

export const match: AnswerCodec<MatchOnServer, typeof matchThere.answer> = {
  answer: matchThere.answer,
  encode: ({ match, server }) => matchThere.encode({ ...match, server }),
}

export const matchesQuery = queryOf({
  queueId: optional(word, 'Only matches of this queue.'),
  status: optional(oneOf(MATCH_STATUSES), 'Only matches in this status.'),
  endReason: optional(oneOf(EXIT_REASONS), 'Only matches that ended for this reason.'),
  ...walking,
})
