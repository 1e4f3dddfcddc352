import {
  type MatchResult,
  type PlayerResult,
  RESULT_AUTHORS,
  type ResultReport,
  type TeamResult,
} from '@matchyard/core'
import { MAX_RESULT_RANK, MAX_RESULT_STATS_BYTES, PLAYER_ID_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  defaulted,
  given,
  instant,
  listOf,
  mirrorOf,
  nullable,
  optional,
  required,
  rowOf,
} from './codec/index'
import { flag, freeForm, number, oneOf, string, text, whole, wholeIn } from './shared'

const sentTeam = mirrorOf<ResultReport['teams'][number]>()({
  name: required(string, 'Team of the match.'),
  rank: given(wholeIn({ min: 1, max: MAX_RESULT_RANK }), 'Place of the team, from 1; teams may share a place.'),
  score: given(number, 'Score of the team; higher is better.'),
})

const STATS = `Figures of the game about the player, at most ${MAX_RESULT_STATS_BYTES / 1_024} kB; shown to server keys only.`

const sentPlayer = mirrorOf<NonNullable<ResultReport['players']>[number]>()({
  playerId: required(text(PLAYER_ID_LENGTH), 'Player of the match, also one who left.'),
  score: given(number, 'Score of the player.'),
  stats: given(freeForm, STATS),
  left: given(flag, 'Whether the player left before the match was decided; false by default.'),
})

/** Body of a call that reports the result of a match. */
export const newResult = bodyOf({
  teams: required(
    rowOf(sentTeam),
    'Result of each team: `rank` for all, or `score` for all. With both, the ranks decide.',
  ),
  players: optional(rowOf(sentPlayer), 'Results of players.'),
  completed: defaulted(flag, true, 'Whether the match was played to its end; otherwise the result counts for nothing.'),
  end: defaulted(flag, false, 'Whether the match ends in the same commit.'),
  amend: defaulted(flag, false, 'Whether the result replaces another one, with a server key and within 7 days.'),
})

const team = answerOf<TeamResult>()({
  name: required(string, 'Name of the team.'),
  rank: required(nullable(whole), 'Place of the team, from 1; null when the scores decide.'),
  score: required(nullable(number), 'Score of the team; null without one.'),
})

const player = answerOf<PlayerResult>()({
  playerId: required(string, 'Id of the player; empty after the player was erased.'),
  score: required(nullable(number), 'Score of the player; null without one.'),
  stats: given(freeForm, STATS),
  left: required(flag, 'Whether the player left before the match was decided.'),
})

export const result = answerOf<MatchResult>()(
  {
    teams: required(listOf(team), 'Results of the teams.'),
    players: required(listOf(player), 'Results of players.'),
    completed: required(flag, 'Whether the match was played to its end.'),
    recordedBy: required(
      oneOf(RESULT_AUTHORS),
      'Author of the result: `backend` (a server key) or `server` (the game server).',
    ),
    recordedAt: required(instant, 'Time at which the first result was recorded.'),
    amendedAt: required(nullable(instant), 'Time of the last amendment; null without one.'),
  },
  'MatchResult',
  'The result of a match.',
)
