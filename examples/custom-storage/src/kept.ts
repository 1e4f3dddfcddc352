import { type IdempotencyRecord, partsOf, pastBounds, recordBytes } from '@matchyard/core/ports'
import type { Change, Journal } from './journal'

interface Kept {
  readonly id: string
  readonly createdAt: number
  readonly bytes: number
}

/**
 * Returns the changes for a new idempotency record, which also remove the oldest records of its owner and its group
 * past their bounds.
 */
export function keptWith(journal: Journal, record: IdempotencyRecord, at: number): Change[] {
  const { owner, group } = partsOf(record)
  const tables = [
    ...(owner === null ? [] : [`kept owner ${owner}`]),
    ...(group === null ? [] : [`kept group ${group}`]),
  ]
  return tables.flatMap((table) => keptIn(table, journal, record, at))
}

function keptIn(table: string, journal: Journal, record: IdempotencyRecord, at: number): Change[] {
  const own: Kept = { id: record.id, createdAt: record.createdAt, bytes: recordBytes(record) }
  const records = journal.rows('idempotency')
  const others = [...journal.rows<Kept>(table).values()].filter(({ id }) => id !== own.id)
  const alive = others.filter(({ id }) => records.has(id))
  const newestFirst = [own, ...alive].sort((a, b) => b.createdAt - a.createdAt)
  const forgotten = pastBounds(newestFirst, at)
  const gone = [...others.filter(({ id }) => !records.has(id)), ...forgotten]
  return [
    [table, own.id, own],
    ...gone.map(({ id }): Change => [table, id]),
    ...forgotten.map(({ id }): Change => ['idempotency', id]),
  ]
}
