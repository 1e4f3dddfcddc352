import { z } from '@hono/zod-openapi'
import { ARRIVAL_OUTCOMES, type ArrivalsPage, type ArrivedPlayer, type RecordedArrival } from '@matchyard/core'
import { ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { answerOf, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import { instantInQuery, wholeInQuery } from './query'
import { freeForm, number, oneOf, region, string } from './shared'

export const arrivalsQuery = queryOf({
  since: optional('since', instantInQuery),
  limit: optional('limit', wholeInQuery(ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT)),
  cursor: optional('cursor', plain(z.string())),
})

const player = answerOf<ArrivedPlayer>()({
  player_id: required('playerId', string),
  state: required('state', freeForm),
})

const arrival = answerOf<RecordedArrival>()(
  {
    arrival_id: required('id', string),
    lobby_id: required('lobbyId', string),
    entered_at: required('enteredAt', instant),
    left_at: required('leftAt', nullable(instant)),
    outcome: required('outcome', nullable(oneOf(ARRIVAL_OUTCOMES))),
    match_id: required('matchId', nullable(string)),
    wait_seconds: required('waitSeconds', nullable(number)),
    region: required('region', nullable(region)),
    players: required('players', listOf(player)),
  },
  'Arrival',
)

export const arrivalsPage = answerOf<ArrivalsPage>()(
  { data: required('data', listOf(arrival)), next_cursor: required('nextCursor', nullable(string)) },
  'Arrivals',
)
