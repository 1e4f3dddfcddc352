import type { EntityKind } from '@matchyard/core/ports'
import { type ColumnValue, ENTITY_TABLES } from '../tables'
import type { RowState } from './batch-state'
import type { PreparedForm } from './prepared'

type Values = readonly ColumnValue[]

/** Change of one stored total by a batch: the column values that identify the total, and the difference. */
export interface TotalChange {
  readonly values: Values
  readonly n: number
}

/**
 * Returns the differences that are not zero. They are sorted, so that all transactions lock totals in the same order
 * and cannot deadlock.
 */
export function totalChanges(rows: readonly RowState[]): TotalChange[] {
  const changes = new Map<string, { values: Values; n: number }>()
  const add = (values: Values | undefined, n: number) => {
    if (values === undefined) return
    const key = JSON.stringify(values)
    const change = changes.get(key) ?? { values, n: 0 }
    change.n += n
    changes.set(key, change)
  }
  for (const { kind, before, now } of rows) {
    add(before?.counted, -1)
    add(now && countedOf(kind, now), 1)
  }
  return [...changes.entries()]
    .filter(([, { n }]) => n !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change)
}

/** Returns the differences of the totals of tickets: the numbers of parties and players per queue. */
export function ticketChanges(rows: readonly RowState[]): { queueKey: string; parties: number; players: number }[] {
  const queues = new Map<string, { queueKey: string; parties: number; players: number }>()
  for (const { values, n } of totalChanges(rows)) {
    const [queueKey, players] = [String(values[0]), Number(values[1])]
    // A ticket with fewer than 0 players is a running match's request for new players, so it has no waiting players.
    if (players < 0) continue
    const queue = queues.get(queueKey) ?? { queueKey, parties: 0, players: 0 }
    queues.set(queueKey, { queueKey, parties: queue.parties + n, players: queue.players + n * players })
  }
  return [...queues.values()]
    .filter(({ parties, players }) => parties !== 0 || players !== 0)
    .sort((a, b) => (a.queueKey < b.queueKey ? -1 : 1))
}

export function countedOf(kind: EntityKind, { columns }: PreparedForm): Values {
  const table = ENTITY_TABLES[kind]
  return table.counted.map((name) => columns[table.columns.findIndex((column) => column.name === name)] ?? null)
}
