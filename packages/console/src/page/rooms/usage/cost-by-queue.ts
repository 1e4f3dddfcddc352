import type { History } from '@matchyard/client/admin'
import type { Cell } from '../../ui/csv'
import { MICRO } from '../../ui/history-lines'

/** Cost of a slot in dollars. */
interface SlotCost {
  /** Start of the slot, as ISO 8601 text. */
  readonly at: string
  readonly cost: number
}

/** Cost of one queue in dollars, over all slots. */
interface QueueCost {
  /** Undefined for game servers outside of the read queues. */
  readonly id: string | undefined
  readonly label: string
  readonly cost: number
  readonly slots: readonly SlotCost[]
}

/** Cost of a time by slot and by queue, in dollars. */
export interface CostByQueue {
  readonly total: number
  readonly slots: readonly SlotCost[]
  /** Queues with a cost, the most expensive first; then all other game servers. */
  readonly queues: readonly QueueCost[]
}

/** Smallest cost that counts as different from zero: less than one micro-USD. */
const NOTHING = 1e-9

/** Returns the shares of queues in the cost of a project; the rest belongs to game servers of no read queue. */
export function costByQueue(project: History, lines: readonly History[]): CostByQueue {
  const slots = slotsOf(project)
  const queues = lines
    .map((line): QueueCost => {
      const own = slotsOf(line)
      return { id: line.queue_id ?? undefined, label: line.queue_id ?? '', cost: sumOf(own), slots: own }
    })
    .filter(({ cost }) => cost > NOTHING)
    .sort((a, b) => b.cost - a.cost)
  const total = sumOf(slots)
  const known = new Map<string, number>()
  for (const one of queues) for (const { at, cost } of one.slots) known.set(at, (known.get(at) ?? 0) + cost)
  const rest = slots.map(({ at, cost }) => ({ at, cost: Math.max(0, cost - (known.get(at) ?? 0)) }))
  const other = sumOf(rest)
  const others: QueueCost = { id: undefined, label: 'Other game servers', cost: other, slots: rest }
  return { total, slots, queues: other > NOTHING ? [...queues, others] : queues }
}

/** Returns the rows of the CSV file: the start of a slot, the queue, and the cost in dollars. */
export const costRows = ({ queues }: CostByQueue): readonly (readonly Cell[])[] => [
  ['from', 'queue', 'cost_usd'],
  ...queues
    .flatMap(({ id, slots }) =>
      slots.filter(({ cost }) => cost > NOTHING).map(({ at, cost }) => [at, id ?? null, rounded(cost)] as const),
    )
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
]

const rounded = (dollars: number): number => Math.round(dollars * MICRO) / MICRO

const sumOf = (slots: readonly SlotCost[]): number => slots.reduce((sum, { cost }) => sum + cost, 0)

const slotsOf = ({ series }: History): readonly SlotCost[] =>
  (series.find(({ name }) => name === 'cost')?.points ?? []).map(({ at, value }) => ({ at, cost: value / MICRO }))
