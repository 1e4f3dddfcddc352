import { z } from '@hono/zod-openapi'
import { ARRIVAL_OUTCOMES, type ArrivalsPage, type ArrivedPlayer, type RecordedArrival } from '@matchyard/core'
import { ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { answerOf, instant, listOf, NAMES_OF, nullable, optional, plain, queryOf, required } from './codec/index'
import { instantInQuery, wholeInQuery } from './query'
import { freeForm, hasMore, number, oneOf, pageData, region, string } from './shared'

export const arrivalsQuery = queryOf({
  since: optional(instantInQuery, 'Only those who entered at or after this instant.'),
  limit: optional(wholeInQuery(ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT), 'So many at the most.'),
  cursor: optional(plain(z.string()), '`next_cursor` of the answer before.'),
})

const player = answerOf<ArrivedPlayer>()({
  playerId: required(string, 'The player.'),
  state: required(
    freeForm,
    'What matchmaking read of it when the stay ended: the fields of the rules, roles, and the version where one is shared.',
  ),
})

const arrival = answerOf<RecordedArrival>(NAMES_OF.arrival)(
  {
    id: required(string, 'Its id.'),
    lobbyId: required(string, 'The lobby.'),
    enteredAt: required(instant, 'When it entered.'),
    leftAt: required(nullable(instant), 'When that ended; null while it searches.'),
    outcome: required(nullable(oneOf(ARRIVAL_OUTCOMES)), 'How that ended; null while it searches.'),
    matchId: required(nullable(string), 'Its match; null where none was made.'),
    waitSeconds: required(nullable(number), 'So many seconds it searched; null while it does.'),
    region: required(nullable(region), 'Where it asked to play; null where it did not.'),
    players: required(listOf(player), 'Its players, as they were when they entered.'),
  },
  'Arrival',
  'A lobby that entered a queue, and how that ended.',
)

export const arrivalsPage = answerOf<ArrivalsPage>()(
  {
    hasMore: hasMore(({ nextCursor }: ArrivalsPage) => nextCursor !== null),
    data: pageData(arrival),
    nextCursor: required(nullable(string), 'Where the next page begins; null where there is none.'),
  },
  'Arrivals',
  'Who came to a queue, a page of it.',
)
