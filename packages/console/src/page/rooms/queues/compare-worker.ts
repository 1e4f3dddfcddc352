import { numericFields, validateConfig } from '@matchyard/matchmaking'
import {
  configOfQueue,
  generatedArrivals,
  type Outcome,
  play,
  type QueueJson,
  type RecordedArrivalJson,
  replayedArrivals,
  scenarioOfQueue,
  spanOf,
} from '@matchyard/matchmaking/simulation'
import type { Rule } from './draft'
import { fieldsFor, type Population } from './population'
import { numbersIn } from './recorded'
import { wireName } from './rules'

/** Input of a comparison: the arrivals and the rules. */
export interface Order {
  readonly name: string
  readonly queue: QueueJson
  /**
   * The queue with the other rules. Both runs have the same players, and measure the numeric fields of both rules and of
   * the recorded players.
   */
  readonly other: QueueJson
  readonly arrivals: readonly RecordedArrivalJson[] | undefined
  /** Generated parties, used when `arrivals` is undefined. */
  readonly made: Population
}

/** Messages of a comparison: its progress and its result. */
export type Told =
  | { readonly is: 'going'; readonly share: number }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'wrong'; readonly sentences: readonly string[] }

const tell = (told: Told) => postMessage(told)

const rulesOf = ({ matchmaking }: QueueJson): readonly Rule[] => (matchmaking as { rules?: Rule[] } | null)?.rules ?? []

const rulesIn = (queue: QueueJson) => configOfQueue(queue).rules ?? []

addEventListener('message', async ({ data }: MessageEvent<Order>) => {
  const { name, queue, other, arrivals, made } = data
  const issues = validateConfig(configOfQueue(queue))
  if (issues.length > 0) {
    tell({ is: 'wrong', sentences: issues.map(({ path, message }) => `${path.map(wireName).join('.')}: ${message}`) })
    return
  }
  // In the order of their names, so that both runs draw the same players.
  const read = [...rulesOf(queue), ...rulesOf(other)]
  const fields = Object.fromEntries(Object.entries(fieldsFor(read, made)).sort(([a], [b]) => (a < b ? -1 : 1)))
  const tickets =
    arrivals === undefined
      ? [...generatedArrivals({ rate: made.perSecond, parties: made.parties, fields }, 1)]
      : replayedArrivals(arrivals)
  const span = arrivals === undefined ? made.parties / made.perSecond : spanOf(tickets)
  const ofRules = numericFields({ ...configOfQueue(queue), rules: [queue, other].flatMap(rulesIn) })
  // Recorded players may have numbers that no rule reads; their spreads are measured too.
  const measuredFields = [...new Set([...ofRules, ...numbersIn(arrivals ?? [])])]
  const outcome = await play({ ...scenarioOfQueue(name, queue, span), measuredFields }, tickets, {
    tellEvery: 250,
    tell: ({ parties }) => tell({ is: 'going', share: parties / tickets.length }),
  })
  tell({ is: 'done', outcome })
})
