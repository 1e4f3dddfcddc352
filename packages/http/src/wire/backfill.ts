import { z } from '@hono/zod-openapi'
import type { Backfill, BackfillRequest, JsonObject, OpenSeats, WantedSeats } from '@matchyard/core'
import { BACKFILL_SECONDS, PLAYER_ID_LENGTH } from '@matchyard/core/domain'
import { MAX_MATCH_PLAYERS } from '@matchyard/matchmaking'
import { answerOf, bodyOf, given, instant, listOf, mirrorOf, optional, plain, required, rowOf } from './codec/index'
import { freeForm, oneOf, string, text, whole, wholeIn } from './shared'

export const backfillSeconds = wholeIn(BACKFILL_SECONDS)

const wantedSeats = mirrorOf<WantedSeats>()({
  name: required(string, 'The team.'),
  open: required(wholeIn({ min: 1, max: MAX_MATCH_PLAYERS }), 'Number of seats to fill.'),
})

const playerState = mirrorOf<{ readonly playerId: string; readonly state: JsonObject }>()({
  playerId: required(text(PLAYER_ID_LENGTH), 'The player.'),
  state: required(freeForm, 'Replaces the state by which rules judge this player in the match; lobbies do not change.'),
})

/**
 * Body of a backfill request (a match's request for new players). If `teams` is missing, all open seats are requested.
 */
export const newBackfill = bodyOf({
  teams: optional(rowOf(wantedSeats), 'Teams with the number of seats to fill; all open seats by default.'),
  players: optional(
    rowOf(playerState),
    'Present players with their current states, which rules compare with those of newcomers.',
  ),
  timeoutSeconds: optional(backfillSeconds, "Seconds after which the request expires; the queue's value by default."),
})

const openSeats = answerOf<OpenSeats>()({
  name: required(string, 'The team.'),
  open: required(whole, 'Number of open seats.'),
  roles: given(plain(z.record(z.string(), z.int())), 'Open seats by role, when the teams have roles.'),
})

/** Open seats that a backfill request asks for, in the same form as in the match. */
export const askedSeats = answerOf<BackfillRequest>()({
  teams: required(listOf(openSeats), 'The teams with open seats.'),
  expiresAt: required(instant, 'Time at which the request expires.'),
})

export const backfill = answerOf<Backfill>()(
  {
    matchId: required(string, 'The match.'),
    status: required(oneOf(['searching']), 'Version of the request; the request ends when its seats are filled.'),
    teams: required(listOf(openSeats), 'The teams with open seats.'),
    expiresAt: required(instant, 'Time at which the request expires.'),
    createdAt: required(instant, 'Time of creation.'),
  },
  'Backfill',
  'A request for players who fill open seats of a running match.',
)
