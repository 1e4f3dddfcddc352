import { type IdempotencyRecord, partsOf, pastBounds } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/**
 * Removes the idempotency records of an owner and of a group that exceed the bounds of the storage port, after a new
 * record was written.
 */
export function forgetPastBounds({ records }: Statements, record: IdempotencyRecord, at: number): void {
  const { owner, group } = partsOf(record)
  if (owner !== null) forget(records, records.ofOwner.all(owner), at)
  if (group !== null) forget(records, records.ofGroup.all(group), at)
}

function forget(
  { remove }: Statements['records'],
  rows: readonly (readonly [number, number, number])[],
  at: number,
): void {
  const newestFirst = rows.map(([row, createdAt, bytes]) => ({ row, createdAt, bytes }))
  for (const { row } of pastBounds(newestFirst, at)) remove.run(row)
}
