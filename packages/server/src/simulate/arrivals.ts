import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { JsonObject } from '@matchyard/core'
import {
  type Arriving,
  generatedArrivals,
  type QueueJson,
  type RecordedArrivalJson,
  START_AT,
} from '@matchyard/matchmaking/simulation'
import { ConfigurationError } from '../service/storage-url'
import type { ScenarioFile } from './scenario'

/** Returns the parties in the order of arrival. */
export function arrivalsOf({ arrivals, seed }: ScenarioFile): AsyncIterable<Arriving> | Iterable<Arriving> {
  return 'file' in arrivals ? recorded(arrivals.file) : generatedArrivals(arrivals, seed)
}

/** Returns the number of parties; undefined when it is not known in advance. */
export const expectedParties = ({ arrivals }: ScenarioFile): number | undefined =>
  'file' in arrivals ? undefined : arrivals.parties

async function* recorded(file: string): AsyncIterable<Arriving> {
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
    // The error is thrown below, with the line number.
  }
  throw new ConfigurationError(`${file}:${number}: not an arrival like {"at": 1.5, "players": [{"state": {}}]}`)
}

/** Recorded arrivals of a queue, and the queue itself if the file contains it. */
export interface Recording {
  readonly arrivals: readonly RecordedArrivalJson[]
  readonly queue: QueueJson | undefined
}

/**
 * Reads a file of recorded arrivals in the form of the API. The file contains `{"data": […]}`, optionally with the
 * queue in `queue`; or only the list; or several answers of the API, one per line.
 */
export function readRecording(file: string): Recording {
  const pages = pagesOf(file)
  const arrivals = pages.flatMap((page) => (isList(page) ? page : (page.data ?? [])))
  for (const [index, arrival] of arrivals.entries()) {
    if (isArrival(arrival)) continue
    throw new ConfigurationError(`${file}: arrival ${index + 1} has not the form of GET /v1/queues/{queue_id}/arrivals`)
  }
  return { arrivals, queue: pages.flatMap((page) => (isList(page) ? [] : (page.queue ?? [])))[0] }
}

type Page = readonly RecordedArrivalJson[] | { readonly data?: RecordedArrivalJson[]; readonly queue?: QueueJson }

const isList = (page: Page): page is readonly RecordedArrivalJson[] => Array.isArray(page)

function pagesOf(file: string): Page[] {
  try {
    const text = readFileSync(file, 'utf8')
    try {
      return [JSON.parse(text) as Page]
    } catch {
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Page]))
    }
  } catch (error) {
    throw new ConfigurationError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
}

const isArrival = (arrival: RecordedArrivalJson): boolean =>
  typeof arrival?.arrival_id === 'string' &&
  !Number.isNaN(Date.parse(arrival.entered_at)) &&
  Array.isArray(arrival.players) &&
  arrival.players.every(({ player_id, state }) => typeof player_id === 'string' && typeof state === 'object')
