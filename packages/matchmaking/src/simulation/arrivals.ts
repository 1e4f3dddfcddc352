import type { Ticket } from '../types'
import { exponential, generator, stateDraw, weighted } from './draw'
import type { GeneratedArrivals } from './scenario'

/** Start of the virtual time, in epoch milliseconds. It is a realistic date, so that ids and times look real. */
export const START_AT = Date.UTC(2026, 0, 1)

/**
 * A party that arrives. `givesUpAfterMs` is set for a recorded party that gave up: it gives up again after this time,
 * unless it is matched earlier.
 */
export interface Arriving extends Ticket {
  readonly givesUpAfterMs?: number | undefined
}

/** Yields generated parties in order of arrival. The same seed gives the same parties on every machine. */
export function* generatedArrivals(arrivals: GeneratedArrivals, seed: number): Iterable<Arriving> {
  const random = generator(seed)
  const drawState = stateDraw(arrivals.fields ?? {})
  const drawSize = weighted(arrivals.party_sizes ?? { 1: 1 })
  let at = START_AT
  let player = 0
  for (let party = 0; party < arrivals.parties; party++) {
    at += exponential(random, arrivals.rate) * 1_000
    const players = Array.from({ length: Number(drawSize(random)) }, () => ({
      playerId: `p${player++}`,
      state: drawState(random),
    }))
    yield { id: `t${party}`, enteredAt: Math.round(at), players }
  }
}

/** An arrival as `GET /v1/queues/{queue_id}/arrivals` returns it, with only the fields that a replay needs. */
export interface RecordedArrivalJson {
  readonly arrival_id: string
  /** Time at which the party entered the queue, as ISO 8601 text. */
  readonly entered_at: string
  readonly outcome: string | null
  readonly wait_seconds: number | null
  readonly region?: string | null | undefined
  readonly players: readonly { readonly player_id: string; readonly state: Readonly<Record<string, unknown>> }[]
}

/**
 * Outcomes of arrivals that do not depend on the rules: these parties would have left the queue at that time under any
 * rules.
 */
const GAVE_UP = ['cancelled', 'player_left', 'deleted']

/**
 * Returns recorded arrivals for a replay, in order of entering, with their times moved to the start of virtual time. Of
 * several records of one arrival the last record counts. A party that was matched, timed out or still waits searches in
 * the replay for as long as the simulated rules allow.
 */
export function replayedArrivals(arrivals: Iterable<RecordedArrivalJson>): readonly Arriving[] {
  const byId = new Map<string, RecordedArrivalJson>()
  for (const arrival of arrivals) byId.set(arrival.arrival_id, arrival)
  const entered = [...byId.values()]
    .filter(({ players }) => players.length > 0)
    .map((arrival) => ({ arrival, at: Date.parse(arrival.entered_at) }))
    .sort((a, b) => a.at - b.at || (a.arrival.arrival_id < b.arrival.arrival_id ? -1 : 1))
  const [first] = entered
  return entered.map(({ arrival, at }) => ({
    id: arrival.arrival_id,
    enteredAt: START_AT + at - (first?.at ?? 0),
    players: arrival.players.map(({ player_id, state }) => ({ playerId: player_id, state })),
    region: arrival.region ?? null,
    givesUpAfterMs:
      GAVE_UP.includes(arrival.outcome ?? '') && arrival.wait_seconds !== null
        ? Math.round(arrival.wait_seconds * 1_000)
        : undefined,
  }))
}

/** Returns the seconds from the start of virtual time to the last arrival, at least 1. */
export const spanOf = (arrivals: readonly Arriving[]): number =>
  Math.max(1, ((arrivals.at(-1)?.enteredAt ?? START_AT) - START_AT) / 1_000)
