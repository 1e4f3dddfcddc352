import type { Lobby } from '@matchyard/core'
import { type Arrival, queueOfArrivals } from '@matchyard/core/ports'
import { GUESTS } from '../guests'
import { type Invariant, twice } from './invariant'
import type { History } from './snapshot'

/** A stay of a lobby in a queue that has ended, according to the lobby's stream. */
interface Ended {
  readonly lobby: Lobby
  readonly ticketId: string
  /** The match in which the stay ended; null when it ended without a match. */
  readonly matchId: string | null
}

/** Returns the ticket of a lobby that waits; also while a proposal holds the lobby. */
const stayOf = ({ status, ticket, proposal }: Lobby): string | undefined =>
  ticket?.id ?? (status === 'in_queue' ? proposal?.ticketId : undefined)

function endedIn(history: History): Ended[] {
  return [...history.values()].flatMap((events) =>
    events.flatMap(({ name, lobby }, index) => {
      const before = events[index - 1]?.lobby
      const ticketId = before && stayOf(before)
      const goesOn = name !== 'lobby_deleted' && stayOf(lobby) !== undefined
      if (before === undefined || ticketId === undefined || goesOn) return []
      return [{ lobby: before, ticketId, matchId: name === 'lobby_deleted' ? null : lobby.matchId }]
    }),
  )
}

const partOfUlid = (id: string): string => id.slice(id.indexOf('_') + 1)
/** Whether a player is never erased in the run. Records of erased players (guests) may or may not still exist. */
const stays = (playerId: string): boolean => !GUESTS.some((guest) => guest === playerId)
const names = (players: readonly { readonly playerId: string }[]): string =>
  players
    .map(({ playerId }) => playerId)
    .filter(stays)
    .sort()
    .join()

const faultsOf = ({ lobby, matchId }: Ended, { arrival, queue }: { arrival: Arrival; queue: string }): string[] => [
  ...(queue === `${lobby.projectId}/${lobby.queueId}` ? [] : [`is recorded in ${queue}`]),
  ...(arrival.lobbyId === lobby.id ? [] : [`is recorded of ${arrival.lobbyId}`]),
  ...(arrival.matchId === matchId ? [] : [`ended in ${matchId}, and is recorded to have ended in ${arrival.matchId}`]),
  ...((arrival.outcome === 'matched') === (matchId !== null) ? [] : [`ended in ${matchId} as ${arrival.outcome}`]),
  ...(names(arrival.players) === names(lobby.players) ? [] : [`is recorded with ${names(arrival.players)}`]),
]

/**
 * Invariant: every ended stay of a lobby in a queue has exactly one record in that queue, with the data of the lobby's
 * stream. No other records exist.
 */
export const everyEndedStayIsRecordedOnce: Invariant = ({ now, history }) => {
  const recorded = [...now.arrivals.values()].flatMap(({ id, arrivals }) =>
    arrivals.map((arrival) => ({ arrival, queue: queueOfArrivals(id) })),
  )
  const byStay = new Map(recorded.map((row) => [partOfUlid(row.arrival.id), row]))
  const ended = endedIn(history)
  const known = new Set(ended.map(({ ticketId }) => partOfUlid(ticketId)))
  return [
    ...[...twice(recorded, ({ arrival }) => arrival.id).keys()].map((id) => `${id} is recorded more than once`),
    ...ended.flatMap((stay) => {
      const row = byStay.get(partOfUlid(stay.ticketId))
      const name = `the stay ${stay.ticketId} of ${stay.lobby.id}`
      if (row !== undefined) return faultsOf(stay, row).map((fault) => `${name} ${fault}`)
      return stay.lobby.players.some(({ playerId }) => stays(playerId)) ? [`${name} is over, and recorded nowhere`] : []
    }),
    ...recorded.flatMap(({ arrival: { id, lobbyId } }) =>
      history.has(lobbyId) && !known.has(partOfUlid(id)) ? [`${id} of ${lobbyId} is recorded, and never ended`] : [],
    ),
  ]
}

/**
 * Invariant: a queue's history contains the newest version of its settings and all earlier versions that are kept,
 * without a gap.
 */
export const aQueuesHistoryHasNoGap: Invariant = ({ now }) =>
  [...now.queues.values()].flatMap((queue) => {
    const numbers = (now.queueVersions.get(queue.id) ?? []).map(({ number }) => number)
    const wanted = numbers.map((_, index) => queue.version - index)
    if (numbers.length === 0) return [`${queue.queueId} has no history`]
    return numbers.join() === wanted.join()
      ? []
      : [`${queue.queueId} is at ${queue.version}, and its history holds ${numbers.join()}`]
  })
