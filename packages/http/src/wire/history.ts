import { z } from '@hono/zod-openapi'
import type { History, HistoryLine, HistoryPoint, HistorySeries, HistoryStep } from '@matchyard/core'
import { HISTORY_SERIES, HISTORY_STEP_NAMES } from '@matchyard/core/ports'
import { answerOf, given, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import { instantInQuery, projectId, word } from './query'
import { waitPercentiles } from './queue-stats'
import { number, oneOf, string } from './shared'

const RULE = `must be one or more of ${HISTORY_SERIES.join(', ')}, separated by commas, each once`
const isSeries = (text: string): text is HistorySeries => (HISTORY_SERIES as readonly string[]).includes(text)

const seriesInQuery = z
  .string()
  .refine((text) => {
    const names = text.split(',')
    return names.every(isSeries) && new Set(names).size === names.length
  }, RULE)
  .transform((text): readonly HistorySeries[] => text.split(',').filter(isSeries))
  .openapi({
    type: 'string',
    description: `Series, separated by commas: ${HISTORY_SERIES.join(', ')}; all by default.`,
  })

const [firstStep, ...otherSteps] = HISTORY_STEP_NAMES as [HistoryStep, ...HistoryStep[]]
const step = oneOf([firstStep, ...otherSteps])

export const historyQuery = queryOf({
  projectId,
  series: optional(plain(seriesInQuery)),
  queueId: optional(word, 'The queue. By default the sums over all queues of the project.'),
  from: optional(instantInQuery, 'Begin; by default an hour before `to`.'),
  to: optional(instantInQuery, 'End; by default now.'),
  step: optional(
    step,
    'Length of a slot. By default the shortest one that is kept since `from` and gives at most 500 points for each series, and 5,000 in all.',
  ),
})

const share = (description: string) => z.number().openapi({ description })
const spreadPercentiles = z.object({ p50: share('Median.'), p90: share('p90.'), p99: share('p99.') })

const point = answerOf<HistoryPoint>()({
  at: required(instant, 'Start of the slot.'),
  value: required(
    number,
    'Figure of the slot: mean number of players (`searching`), of running servers (`servers`) or of open streams (`streams`), matched parties (`waits`), matches (`spread`), micro-USD (`cost`), else events.',
  ),
  most: given(number, 'Largest number of players who searched in one queue; only in `searching`.'),
  waitSeconds: given(
    waitPercentiles,
    'Wait of the matched parties; only in `waits`. Each figure differs from the exact wait by at most 25 %, or by at most one second if the wait is below one second.',
  ),
  parts: given(
    plain(z.record(z.string(), z.number())),
    'Figures by reason (`exits`), build version (`crashes`, `servers`), build version and cause (`ends`), tier (`cost`), side (`streams`: `clients` and `backend`) or error code (`refusals`); only in these series.',
  ),
  spreads: given(
    plain(z.record(z.string(), spreadPercentiles)),
    'Difference between the highest and the lowest value of a field in a match, by numeric field of the rules; only in `spread`. Each figure differs from the exact one by at most 40 %.',
  ),
})

const line = answerOf<HistoryLine>()({
  name: required(oneOf(HISTORY_SERIES), 'Name of the series.'),
  points: required(listOf(point), 'Points, oldest first. A slot without a point had nothing to count.'),
})

export const history = answerOf<History>()(
  {
    queueId: required(nullable(string), 'The queue; null for the sums over all queues of the project.'),
    from: required(instant, 'Start of the first slot.'),
    to: required(instant, 'End of the last slot.'),
    step: required(step, 'Length of the slots.'),
    series: required(listOf(line), 'Series, in the order in which they were requested.'),
  },
  'History',
  'Figures of a project over time.',
)
