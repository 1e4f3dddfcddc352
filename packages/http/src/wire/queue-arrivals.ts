import { z } from '@hono/zod-openapi'
import { ARRIVAL_OUTCOMES, type ArrivalsPage, type ArrivedPlayer, type RecordedArrival } from '@matchyard/core'
import { ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import {
  answerOf,
  instant,
  listOf,
  longListOf,
  nullable,
  optional,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import { instantInQuery, wholeInQuery } from './query'
import { flag, freeForm, number, oneOf, region, string } from './shared'

export const arrivalsQuery = queryOf({
  since: optional('since', instantInQuery, 'Only those who entered at or after this instant.'),
  limit: optional('limit', wholeInQuery(ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT), 'So many at the most.'),
  cursor: optional('cursor', plain(z.string()), '`next_cursor` of the answer before.'),
})

const player = answerOf<ArrivedPlayer>()({
  player_id: required('playerId', string, 'The player.'),
  state: required(
    'state',
    freeForm,
    'What matchmaking read of it when the stay ended: the fields of the rules, roles, and the version where one is shared.',
  ),
})

const arrival = answerOf<RecordedArrival>()(
  {
    arrival_id: required('id', string, 'Its id.'),
    lobby_id: required('lobbyId', string, 'The lobby.'),
    entered_at: required('enteredAt', instant, 'When it entered.'),
    left_at: required('leftAt', nullable(instant), 'When that ended; null while it searches.'),
    outcome: required('outcome', nullable(oneOf(ARRIVAL_OUTCOMES)), 'How that ended; null while it searches.'),
    match_id: required('matchId', nullable(string), 'Its match; null where none was made.'),
    wait_seconds: required('waitSeconds', nullable(number), 'So many seconds it searched; null while it does.'),
    region: required('region', nullable(region), 'Where it asked to play; null where it did not.'),
    players: required('players', listOf(player), 'Its players, as they were when they entered.'),
  },
  'Arrival',
  'A lobby that entered a queue, and how that ended.',
)

export const arrivalsPage = answerOf<ArrivalsPage>()(
  {
    has_more: told(
      flag,
      ({ nextCursor }: ArrivalsPage) => nextCursor !== null,
      'Whether there is a page after this one.',
    ),
    data: required('data', longListOf(arrival), 'What is on this page.'),
    next_cursor: required('nextCursor', nullable(string), 'Where the next page begins; null where there is none.'),
  },
  'Arrivals',
  'Who came to a queue, a page of it.',
)
