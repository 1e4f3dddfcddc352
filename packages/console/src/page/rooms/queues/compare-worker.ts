import { validateConfig } from '@matchyard/matchmaking'
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

/** What is played, and by which rules. */
export interface Order {
  readonly name: string
  readonly queue: QueueJson
  readonly arrivals: readonly RecordedArrivalJson[] | undefined
  /** Players that are made up, where none are given. */
  readonly made: { readonly parties: number; readonly perSecond: number }
}

/** What is said on the way, and at the end. */
export type Told =
  | { readonly is: 'going'; readonly share: number }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'wrong'; readonly sentences: readonly string[] }

const tell = (told: Told) => postMessage(told)

const snake = (name: string | number): string => String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Numbers for ratings, and regions where a rule asks for them: what most games match by. */
function fieldsFor(rules: readonly { readonly type: string; readonly field?: string }[]) {
  const fields = rules.map(({ type, field }) => {
    if (type === 'region')
      return [field ?? 'regions', { some: { iad: 5, fra: 4, nrt: 2 }, count: { 1: 2, 2: 1 } }] as const
    if (type === 'equals' || type === 'not_equals') return [field ?? '', { choice: { a: 3, b: 2, c: 1 } }] as const
    if (type === 'intersection') return [field ?? '', { some: { a: 3, b: 2, c: 1 }, count: { 1: 1, 2: 1 } }] as const
    if (type === 'latency') return [field ?? '', { constant: { iad: 60, fra: 90 } }] as const
    return [field ?? '', { normal: { mean: 1_500, deviation: 300 }, min: 0 }] as const
  })
  return Object.fromEntries(fields)
}

addEventListener('message', async ({ data }: MessageEvent<Order>) => {
  const { name, queue, arrivals, made } = data
  const issues = validateConfig(configOfQueue(queue))
  if (issues.length > 0) {
    tell({ is: 'wrong', sentences: issues.map(({ path, message }) => `${path.map(snake).join('.')}: ${message}`) })
    return
  }
  const { rules = [] } = (queue.matchmaking ?? {}) as { rules?: { type: string; field?: string }[] }
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
