import { z } from '@hono/zod-openapi'
import type { Backfill, JsonObject, OpenSeats, WantedSeats } from '@matchyard/core'
import { BACKFILL_SECONDS, PLAYER_ID_LENGTH } from '@matchyard/core/domain'
import { MAX_MATCH_PLAYERS } from '@matchyard/core/matchmaking'
import { answerOf, bodyOf, given, instant, listOf, mirrorOf, optional, plain, required, rowOf } from './codec/index'
import { freeForm, oneOf, secondsIn, string, text, whole, wholeIn } from './shared'

export const backfillSeconds = secondsIn(BACKFILL_SECONDS)

const wantedSeats = mirrorOf<WantedSeats>()({
  name: required('name', string),
  open: required('open', wholeIn({ min: 1, max: MAX_MATCH_PLAYERS })),
})

const playerState = mirrorOf<{ readonly playerId: string; readonly state: JsonObject }>()({
  player_id: required('playerId', text(PLAYER_ID_LENGTH)),
  state: required('state', freeForm),
})

/** Without `teams`, every open seat. */
export const newBackfill = bodyOf({
  teams: optional('teams', rowOf(wantedSeats)),
  players: optional('players', rowOf(playerState)),
  timeout: optional('timeoutSeconds', backfillSeconds),
})

const openSeats = answerOf<OpenSeats>()({
  name: required('name', string),
  open: required('open', whole),
  roles: given(
    'roles',
    plain(z.record(z.string(), z.int()).openapi({ description: 'Seats by role, where teams have roles.' })),
  ),
})

export const backfill = answerOf<Backfill>()(
  {
    match_id: required('matchId', string),
    status: required('status', oneOf(['searching'])),
    teams: required('teams', listOf(openSeats)),
    expires_at: required('expiresAt', instant),
    created_at: required('createdAt', instant),
  },
  'Backfill',
)
