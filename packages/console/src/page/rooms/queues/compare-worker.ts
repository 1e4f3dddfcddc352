import { RULE_FORMS, validateConfig } from '@matchyard/matchmaking'
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
import { fieldOf, wireName } from './rules'

/** Input of a comparison: the arrivals and the rules. */
export interface Order {
  readonly name: string
  readonly queue: QueueJson
  readonly arrivals: readonly RecordedArrivalJson[] | undefined
  /** Number of generated parties and their rate, used when `arrivals` is undefined. */
  readonly made: { readonly parties: number; readonly perSecond: number }
}

/** Messages of a comparison: its progress and its result. */
export type Told =
  | { readonly is: 'going'; readonly share: number }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'wrong'; readonly sentences: readonly string[] }

const tell = (told: Told) => postMessage(told)

/** Returns the distributions from which the generated players' fields are drawn, by field. */
const fieldsFor = (rules: readonly Rule[]) =>
  Object.fromEntries(
    rules.flatMap((rule) => {
      const { reads } = RULE_FORMS[rule.type]
      return reads === null ? [] : [[fieldOf(rule), reads.draw]]
    }),
  )

addEventListener('message', async ({ data }: MessageEvent<Order>) => {
  const { name, queue, arrivals, made } = data
  const issues = validateConfig(configOfQueue(queue))
  if (issues.length > 0) {
    tell({ is: 'wrong', sentences: issues.map(({ path, message }) => `${path.map(wireName).join('.')}: ${message}`) })
    return
  }
  const { rules = [] } = (queue.matchmaking ?? {}) as { rules?: Rule[] }
  const tickets =
    arrivals === undefined
      ? [...generatedArrivals({ rate: made.perSecond, parties: made.parties, fields: fieldsFor(rules) }, 1)]
      : replayedArrivals(arrivals)
  const span = arrivals === undefined ? made.parties / made.perSecond : spanOf(tickets)
  const outcome = await play(scenarioOfQueue(name, queue, span), tickets, {
    tellEvery: 250,
    tell: ({ parties }) => tell({ is: 'going', share: parties / tickets.length }),
  })
  tell({ is: 'done', outcome })
})
