import type { Region } from '../catalog/regions'
import { queueKey } from '../queue/queue'
import type { JsonObject, JsonValue } from '../shared/json'
import { shownState } from '../shared/shown-state'
import type { Instant } from '../shared/time'
import type { LobbyEvent } from './events'
import type { Lobby } from './lobby'
import { stayOf } from './stay'

/** Outcomes of a stay in a queue: a match, a reason as in `Lobby.lastExit`, or the deletion of the lobby. */
export const ARRIVAL_OUTCOMES = [
  'matched',
  'cancelled',
  'timeout',
  'player_left',
  'declined',
  'not_answered',
  'unmatchable',
  'deleted',
  'matched_elsewhere',
  'banned',
] as const
/** Outcome of a stay in a queue, one of `ARRIVAL_OUTCOMES`. */
export type ArrivalOutcome = (typeof ARRIVAL_OUTCOMES)[number]

/**
 * Finished stay of a party in a queue, with the fields of its players' states that matchmaking reads, and some numeric fields. These data
 * suffice to simulate the stay with other rules.
 */
export interface Arrival {
  /** Id of the stay. A party that enters the queue again gets another id. */
  readonly id: string
  /** Lobby that entered the queue. */
  readonly lobbyId: string
  /** Time at which the lobby entered the queue. */
  readonly enteredAt: Instant
  /** Outcome of the stay. */
  readonly outcome: ArrivalOutcome
  /** Match of the lobby; null without one. */
  readonly matchId: string | null
  /** Region that the lobby requested; null without one. */
  readonly region: Region | null
  /**
   * Players of the party: the host first, then in the order of joining. The states hold only the fields that the queue's matchmaking reads,
   * and RECORDED_NUMBERS numeric fields.
   */
  readonly players: readonly ArrivedPlayer[]
}

/** Player of a recorded stay in a queue. */
export interface ArrivedPlayer {
  /** Id of the player. */
  readonly playerId: string
  /**
   * State of the player when the search ended: the fields of the rules, the roles, the game version if the queue shares one, and at most
   * RECORDED_NUMBERS other fields with numbers.
   */
  readonly state: JsonObject
}

/** Arrivals of one queue whose stays ended in the same commit. For instance, a match of ten parties is one row. */
export interface ArrivalBatch {
  /**
   * Id made by `arrivalsId`. It contains the queue and the instant, so that the same index serves to find batches, to read them page by
   * page and to delete old ones.
   */
  readonly id: string
  readonly version: number
  readonly leftAt: Instant
  readonly arrivals: readonly Arrival[]
}

/** Digits of an instant in an id. With this many digits, ids stay in the order of time for some thirty thousand years. */
const INSTANT_DIGITS = 15

/** Returns an id between the batches of this queue that ended before this instant and those that ended at this instant or later. */
export const arrivalsFrom = (queueKey: string, leftAt: Instant): string =>
  `${queueKey}/${String(Math.max(leftAt, 0)).padStart(INSTANT_DIGITS, '0')}/`

/** Returns an id after all batches of this queue. `0` is the character after `/`, which follows the queue key in the ids of batches. */
export const arrivalsEnd = (queueKey: string): string => `${queueKey}0`

/** Returns `{projectId}/{queueId}/{leftAt}/{name}`. */
export const arrivalsId = (queueKey: string, leftAt: Instant, name: string): string =>
  arrivalsFrom(queueKey, leftAt) + name

/** Returns the queue key of a batch from its id. */
export const queueOfArrivals = (id: string): string => id.slice(0, id.lastIndexOf('/') - INSTANT_DIGITS - 1)

/** Maximum characters of JSON of one recorded field of a state. A longer field is left out. */
export const RECORDED_FIELD_LENGTH = 1_024

/** Maximum number of numeric fields of a player's state that are recorded besides the fields that matchmaking reads: the first of the state. */
export const RECORDED_NUMBERS = 8
/** Maximum characters of the name of such a field. A rule cannot read a field with a longer name. */
export const RECORDED_NAME_LENGTH = 128

/** Returns the stay that ended by these events, with states without private fields; undefined when no stay ended. */
export function endedStay(before: Lobby, after: Lobby, events: readonly LobbyEvent[]): Arrival | undefined {
  const stay = stayOf(before)
  const isGone = events.some(({ type }) => type === 'lobby_deleted')
  if (stay === undefined || (!isGone && stayOf(after) !== undefined)) return undefined
  const host = before.players.filter(({ playerId }) => playerId === before.hostPlayerId)
  const others = before.players.filter(({ playerId }) => playerId !== before.hostPlayerId)
  return {
    id: arrivalId(stay.ticketId),
    lobbyId: before.id,
    enteredAt: stay.enteredAt,
    outcome: outcomeOf(events),
    matchId: isGone ? null : after.matchId,
    region: before.region,
    players: [...host, ...others].map((player) => ({ playerId: player.playerId, state: shownState(player) })),
  }
}

/** Returns the public id of a stay, made from the id of its ticket. The id of the ticket itself is not public. */
export const arrivalId = (ticketId: string): string => `arr_${ticketId.slice(ticketId.indexOf('_') + 1)}`

function outcomeOf(events: readonly LobbyEvent[]): ArrivalOutcome {
  for (const event of events) {
    if (event.type === 'lobby_matched') return 'matched'
    if (event.type === 'queue_left') return event.reason
    if (event.type === 'lobby_deleted') {
      return event.reason === 'empty' || event.reason === 'host_left' ? 'player_left' : 'deleted'
    }
  }
  return 'deleted'
}

/**
 * Returns the arrival with only these fields of the states, and the first numeric fields. Values longer than RECORDED_FIELD_LENGTH are left
 * out.
 */
export const recorded = (arrival: Arrival, fields: readonly string[]): Arrival => ({
  ...arrival,
  players: recordedPlayers(arrival.players, fields),
})

export const recordedPlayers = (players: readonly ArrivedPlayer[], fields: readonly string[]): ArrivedPlayer[] =>
  players.map(({ playerId, state }) => ({ playerId, state: picked(state, fields) }))

function picked(state: JsonObject, fields: readonly string[]): JsonObject {
  const taken: JsonObject = {}
  for (const field of fields) {
    const value = Object.hasOwn(state, field) ? state[field] : undefined
    if (value !== undefined && isShort(value)) taken[field] = value
  }
  for (const [field, value] of numbersBesides(state, fields)) taken[field] = value
  return taken
}

/** Returns the first numeric fields of a state, without the given fields. */
const numbersBesides = (state: JsonObject, fields: readonly string[]) =>
  Object.entries(state)
    .filter(
      ([field, value]) => typeof value === 'number' && field.length <= RECORDED_NAME_LENGTH && !fields.includes(field),
    )
    .slice(0, RECORDED_NUMBERS)

const isShort = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? value.length <= RECORDED_FIELD_LENGTH
    : typeof value !== 'object' || JSON.stringify(value).length <= RECORDED_FIELD_LENGTH

/** Returns the arrivals grouped by queue. */
export function byQueue(stays: readonly { readonly lobby: Lobby; readonly arrival: Arrival }[]) {
  const queues = new Map<string, { readonly queueKey: string; readonly arrivals: Arrival[] }>()
  for (const { lobby, arrival } of stays) {
    const key = queueKey(lobby.projectId, lobby.queueId)
    const queue = queues.get(key) ?? { queueKey: key, arrivals: [] }
    queue.arrivals.push(arrival)
    queues.set(key, queue)
  }
  return [...queues.values()]
}

/**
 * Returns the arrivals of a batch without one player. A party without other players is removed. Returns undefined when the player is not in
 * the batch.
 */
export function withoutArrived(batch: ArrivalBatch, playerId: string): readonly Arrival[] | undefined {
  if (!batch.arrivals.some(({ players }) => players.some((player) => player.playerId === playerId))) return undefined
  return batch.arrivals.flatMap((arrival) => {
    const players = arrival.players.filter((player) => player.playerId !== playerId)
    return players.length === 0 ? [] : [{ ...arrival, players }]
  })
}
