import { z } from '@hono/zod-openapi'
import type { Backfill, BackfillRequest, JsonObject, OpenSeats, WantedSeats } from '@matchyard/core'
import { BACKFILL_SECONDS, PLAYER_ID_LENGTH } from '@matchyard/core/domain'
import { MAX_MATCH_PLAYERS } from '@matchyard/matchmaking'
import { answerOf, bodyOf, given, instant, listOf, mirrorOf, optional, plain, required, rowOf } from './codec/index'
import { freeForm, oneOf, secondsIn, string, text, whole, wholeIn } from './shared'

export const backfillSeconds = secondsIn(BACKFILL_SECONDS)

const wantedSeats = mirrorOf<WantedSeats>()({
  name: required(string, 'The team.'),
  open: required(wholeIn({ min: 1, max: MAX_MATCH_PLAYERS }), 'So many seats are to be filled.'),
})

const playerState = mirrorOf<{ readonly playerId: string; readonly state: JsonObject }>()({
  playerId: required(text(PLAYER_ID_LENGTH), 'The player.'),
  state: required(
    freeForm,
    'Takes the place of the state by which rules judge this player in the match; lobbies do not change.',
  ),
})

/** Without `teams`, every open seat. */
export const newBackfill = bodyOf({
  teams: optional(
    rowOf(wantedSeats),
    'The teams for which players are looked for, and for how many seats; every open seat unless said.',
  ),
  players: optional(
    rowOf(playerState),
    'Who plays now, with states of this moment: rules compare them with those who might come.',
  ),
  timeoutSeconds: optional(backfillSeconds, "After so long it is given up; the queue's unless said."),
})

const openSeats = answerOf<OpenSeats>()({
  name: required(string, 'The team.'),
  open: required(whole, 'So many seats are open.'),
  roles: given(plain(z.record(z.string(), z.int())), 'Seats by role, where teams have roles.'),
})

/** Open seats that a match asks for, as the match itself shows them. */
export const askedSeats = answerOf<BackfillRequest>()({
  teams: required(listOf(openSeats), 'The teams with open seats.'),
  expiresAt: required(instant, 'When it is given up.'),
})

export const backfill = answerOf<Backfill>()(
  {
    matchId: required(string, 'The match.'),
    status: required(oneOf(['searching']), 'It is over once the seats are taken.'),
    teams: required(listOf(openSeats), 'The teams with open seats.'),
    expiresAt: required(instant, 'When it is given up.'),
    createdAt: required(instant, 'When it was made.'),
  },
  'Backfill',
  'Open seats of a running match, for which players are looked for.',
)
