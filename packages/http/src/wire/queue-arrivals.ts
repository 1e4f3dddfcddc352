import { z } from '@hono/zod-openapi'
import { ARRIVAL_OUTCOMES, type ArrivalsPage, type ArrivedPlayer, type RecordedArrival } from '@matchyard/core'
import { ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { answerOf, instant, listOf, NAMES_OF, nullable, optional, plain, queryOf, required } from './codec/index'
import { instantInQuery, wholeInQuery } from './query'
import { freeForm, hasMore, number, oneOf, pageData, region, string } from './shared'

export const arrivalsQuery = queryOf({
  since: optional(instantInQuery, 'Only lobbies that entered at or after this time.'),
  limit: optional(wholeInQuery(ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT), 'Maximum number of items.'),
  cursor: optional(plain(z.string()), '`next_cursor` of the previous answer.'),
})

const player = answerOf<ArrivedPlayer>()({
  playerId: required(string, 'The player.'),
  state: required(
    freeForm,
    "Player's state that matchmaking used when the search ended: the fields of the rules, the roles, the game version if the queue shares one, and at most 8 other fields with numbers.",
  ),
})

const arrival = answerOf<RecordedArrival>(NAMES_OF.arrival)(
  {
    id: required(string, 'Id.'),
    lobbyId: required(string, 'The lobby.'),
    enteredAt: required(instant, 'Time at which the lobby entered the queue.'),
    leftAt: required(nullable(instant), 'Time at which the search ended; null while the lobby searches.'),
    outcome: required(nullable(oneOf(ARRIVAL_OUTCOMES)), 'Outcome of the search; null while the lobby searches.'),
    matchId: required(nullable(string), 'Match of the lobby; null without one.'),
    waitSeconds: required(nullable(number), 'Duration of the search in seconds; null while the lobby searches.'),
    region: required(nullable(region), 'Region that the lobby requested; null without one.'),
    players: required(listOf(player), 'Players of the lobby when it entered the queue.'),
  },
  'Arrival',
  'A lobby that entered a queue, with the outcome.',
)

export const arrivalsPage = answerOf<ArrivalsPage>()(
  {
    hasMore: hasMore(({ nextCursor }: ArrivalsPage) => nextCursor !== null),
    data: pageData(arrival),
    nextCursor: required(nullable(string), 'Cursor of the next page; null on the last page.'),
  },
  'Arrivals',
  'A page of the arrivals at a queue.',
)
