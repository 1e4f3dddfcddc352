import { z } from '@hono/zod-openapi'
import { EXIT_REASONS, MATCH_STATUSES, type Match, type MatchOnServer } from '@matchyard/core'
import { PLAYER_ID_LENGTH } from '@matchyard/core/domain'
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
import { instantInQuery, walking, word } from './query'
import { result } from './result'
import { keptSeat } from './seats'
import { serverSummary } from './server-summary'
import { number, oneOf, region, string, text, whole } from './shared'

type Team = Match['teams'][number]

const matchPlayer = answerOf<Team['players'][number]>()({
  playerId: required(string, 'Id of the player; empty after the player was erased.'),
  lobbyId: required(string, 'Lobby of the player.'),
  role: required(nullable(string), 'Role in the team; null when the queue has no roles.'),
  leftAt: given(instant, 'Time at which the player left the running match.'),
})

const team = answerOf<Team>()({
  name: required(string, 'Name of the team.'),
  players: required(listOf(matchPlayer), 'Players of the team, including those who have left.'),
})

const quality = answerOf<NonNullable<Match['quality']>>()({
  winProbability: required(listOf(number), 'Predicted probability that each team wins, in the order of `teams`.'),
})

/** A match together with the server that runs it. */
type MatchThere = Match & Pick<MatchOnServer, 'server'>

const matchThere = answerOf<MatchThere>(NAMES_OF.match)(
  {
    id: required(string, 'Id.'),
    queueId: required(string, 'Queue of the match.'),
    status: required(
      oneOf(MATCH_STATUSES),
      'Status: `proposed` (its players are asked), `launching` (its server starts), `running`, `ended`.',
    ),
    version: required(plain(z.int().min(1)), 'Version, which grows by one with each change.'),
    region: required(region, 'Region of the match.'),
    teams: required(listOf(team), 'Teams with their players.'),
    server: required(nullable(serverSummary), 'Server of the match; null without one.'),
    serverId: required(
      nullable(string),
      'Id of the server that the service launched for the match; null without one, and for a server of your own.',
    ),
    buildId: told(
      orNull(string),
      ({ build }: MatchThere) => build?.id,
      'Build that the server ran; null before, and for a server of your own. Always null for client keys.',
    ),
    versionTag: told(orNull(string), ({ build }: MatchThere) => build?.versionTag, 'Name of that build; else null.'),
    buildVersion: told(
      orNull(whole),
      ({ build }: MatchThere) => build?.buildVersion,
      'Version of that build; else null.',
    ),
    backfill: given(askedSeats, 'Current request for players; absent without one, and for client keys.'),
    keptSeats: given(
      listOf(keptSeat),
      'Open seats that are kept for players, who join by them; absent without one, and for client keys.',
    ),
    createdAt: required(instant, 'Time of creation.'),
    startedAt: required(orNull(instant), 'Time at which the match began; null if it never began.'),
    result: required(orNull(result), 'Result that the game server or a backend reported; null without one.'),
    quality: given(
      quality,
      'How even the match was when it was made, by the rating of its queue; absent without one, and for client keys.',
    ),
    endedAt: required(nullable(instant), 'Time at which the match ended; null before.'),
    endReason: told(
      orNull(oneOf(EXIT_REASONS)),
      ({ ending }: MatchThere) => ending?.reason,
      'Reason of the end, as in `last_exit`; null before the end.',
    ),
    exitCode: told(
      orNull(whole),
      ({ ending }: MatchThere) => ending?.exitCode,
      "Exit code of the server's process if its end ended the match; else null. Always null for client keys.",
    ),
    exitSignal: told(
      orNull(string),
      ({ ending }: MatchThere) => ending?.exitSignal,
      'Signal that ended that process, such as `SIGSEGV`; else null. Always null for client keys.',
    ),
  },
  'Match',
  'A match.',
)

export const match: AnswerCodec<MatchOnServer, typeof matchThere.answer> = {
  answer: matchThere.answer,
  encode: ({ match, server }) => matchThere.encode({ ...match, server }),
}

const BUILD_VERSION_WORDS = 'Only matches whose server ran this build: its name, `@` and its version, such as `arena@3`'

export const matchesQuery = queryOf({
  queueId: optional(word, 'Only matches of this queue.'),
  status: optional(oneOf(MATCH_STATUSES), 'Only matches in this status.'),
  playerId: optional(text(PLAYER_ID_LENGTH), 'Only matches in which this player is or was.'),
  endReason: optional(oneOf(EXIT_REASONS), 'Only matches that ended for this reason.'),
  buildId: optional(word, 'Only matches whose server ran this build; for server keys and sessions.'),
  buildVersion: optional(word, `${BUILD_VERSION_WORDS}; for server keys and sessions.`),
  from: optional(instantInQuery, 'Only matches that were made at or after this instant.'),
  to: optional(instantInQuery, 'Only matches that were made before this instant.'),
  ...walking,
})
