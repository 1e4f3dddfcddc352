import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@matchyard/core'
import type { Ticket } from '@matchyard/core/matchmaking'
import { ConfigurationError } from '../service/storage-url'
import { exponential, generator, stateDraw, weighted } from './draw'
import type { Scenario } from './scenario'

/** Virtual time starts here: an instant like any other, so that ids and bounds look real. */
export const START_AT = Date.UTC(2026, 0, 1)

/** Parties in order of arrival. */
export function arrivalsOf(scenario: Scenario): AsyncIterable<Ticket> | Iterable<Ticket> {
  return 'file' in scenario.arrivals ? recorded(scenario.arrivals.file) : synthetic(scenario, scenario.arrivals)
}

/** How many parties will come, where that is known. */
export const expectedParties = (scenario: Scenario): number | undefined =>
  'file' in scenario.arrivals ? undefined : scenario.arrivals.parties

function* synthetic(scenario: Scenario, arrivals: Exclude<Scenario['arrivals'], { file: string }>): Iterable<Ticket> {
  const random = generator(scenario.seed)
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

async function* recorded(file: string): AsyncIterable<Ticket> {
  let number = 0
  let last = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number++
    if (line.trim() === '') continue
    const { at, players } = recordedLine(file, number, line)
    if (at < last) throw new ConfigurationError(`${file}:${number}: "at" runs backwards`)
    last = at
    yield {
      id: `t${number}`,
      enteredAt: START_AT + Math.round(at * 1_000),
      players: players.map(({ player_id, state }, index) => ({
        playerId: player_id ?? `p${number}-${index}`,
        state: state ?? {},
      })),
    }
  }
}

interface RecordedLine {
  readonly at: number
  readonly players: readonly { readonly player_id?: string; readonly state?: JsonObject }[]
}

function recordedLine(file: string, number: number, line: string): RecordedLine {
  try {
    const value = JSON.parse(line) as RecordedLine
    if (typeof value.at === 'number' && Array.isArray(value.players) && value.players.length > 0) return value
  } catch {
    // Told below, with the place.
  }
  throw new ConfigurationError(`${file}:${number}: not an arrival like {"at": 1.5, "players": [{"state": {}}]}`)
}
