import type { Region } from '../catalog/regions'
import { queueKey } from '../queue/queue'
import type { JsonObject, JsonValue } from '../shared/json'
import type { Instant } from '../shared/time'
import type { LobbyEvent } from './events'
import type { Lobby } from './lobby'
import { stayOf } from './stay'

/** How a stay in a queue ended: in a match, or as `Lobby.lastExit` says it, or with its lobby. */
export const ARRIVAL_OUTCOMES = [
  'matched',
  'cancelled',
  'timeout',
  'player_left',
  'declined',
  'not_answered',
  'unmatchable',
  'deleted',
] as const
export type ArrivalOutcome = (typeof ARRIVAL_OUTCOMES)[number]

/** A finished stay of a party in a queue, with the state that matchmaking read of its players: enough to replay it with other rules. */
export interface Arrival {
  /** Id of the stay; a party that enters again has another id. */
  readonly id: string
  readonly lobbyId: string
  readonly enteredAt: Instant
  readonly outcome: ArrivalOutcome
  readonly matchId: string | null
  readonly region: Region | null
  /** The host first, then in order of joining; of each state what the queue's matchmaking reads. */
  readonly players: readonly ArrivedPlayer[]
}

export interface ArrivedPlayer {
  readonly playerId: string
  readonly state: JsonObject
}

/** The arrivals of one queue whose stay one commit ended: a match of ten parties is one row. */
export interface ArrivalBatch {
  /** `arrivalsId`: the place among those of its queue, so that one index serves to find, to walk and to prune. */
  readonly id: string
  readonly version: number
  readonly leftAt: Instant
  readonly arrivals: readonly Arrival[]
}

/** Digits of an instant in an id, so that ids stand in the order of time for some thirty thousand years. */
const INSTANT_DIGITS = 15

/** Before all batches of this queue that ended at this instant or later, and after all that ended earlier. */
export const arrivalsFrom = (queueKey: string, leftAt: Instant): string =>
  `${queueKey}/${String(Math.max(leftAt, 0)).padStart(INSTANT_DIGITS, '0')}/`

/** After all batches of this queue: the sign that follows the stroke. */
export const arrivalsEnd = (queueKey: string): string => `${queueKey}0`

/** `{projectId}/{queueId}/{leftAt}/{name}` */
export const arrivalsId = (queueKey: string, leftAt: Instant, name: string): string =>
  arrivalsFrom(queueKey, leftAt) + name

/** The queue that a batch with this id is of. */
export const queueOfArrivals = (id: string): string => id.slice(0, id.lastIndexOf('/') - INSTANT_DIGITS - 1)

/** Characters of JSON that one field of a recorded state may have; a longer one is left out. */
export const RECORDED_FIELD_LENGTH = 1_024

/** The stay that these events ended, with whole states; undefined where they ended none. */
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
    players: [...host, ...others].map(({ playerId, state }) => ({ playerId, state })),
  }
}

/** The name of a stay for callers; a ticket has its own id, which is nobody's business. */
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

/** With nothing of its states but these fields, and of those none that is long. */
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
  return taken
}

const isShort = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? value.length <= RECORDED_FIELD_LENGTH
    : typeof value !== 'object' || JSON.stringify(value).length <= RECORDED_FIELD_LENGTH

/** The arrivals of each queue. */
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

/** With nobody of this id in it; a party of which nobody is left is none. Undefined where the player is not in it. */
export function withoutArrived(batch: ArrivalBatch, playerId: string): readonly Arrival[] | undefined {
  if (!batch.arrivals.some(({ players }) => players.some((player) => player.playerId === playerId))) return undefined
  return batch.arrivals.flatMap((arrival) => {
    const players = arrival.players.filter((player) => player.playerId !== playerId)
    return players.length === 0 ? [] : [{ ...arrival, players }]
  })
}
