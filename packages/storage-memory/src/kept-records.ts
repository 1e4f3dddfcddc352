import { type IdempotencyRecord, partsOf, pastBounds, recordBytes } from '@matchyard/core/ports'
import { type KeptRecord, type MemoryData, stored } from './memory-data'

/**
 * Adds an idempotency record to the records of its owner and of its group. Removes the oldest records there that exceed
 * the bounds of the storage port.
 */
export function keepRecord(data: MemoryData, record: IdempotencyRecord, at: number): void {
  const { owner, group } = partsOf(record)
  const kept = { id: record.id, createdAt: record.createdAt, bytes: recordBytes(record) }
  if (owner !== null) add(data, `owner ${owner}`, kept, at)
  if (group !== null) add(data, `group ${group}`, kept, at)
}

function add(data: MemoryData, part: string, record: KeptRecord, at: number): void {
  const others = alive(data, part).filter(({ id }) => id !== record.id)
  const all = [...others, record].sort((a, b) => a.createdAt - b.createdAt)
  const forgotten = new Set(pastBounds(all.toReversed(), at))
  for (const { id } of forgotten) data.entities.get('idempotency')?.delete(id)
  data.recordParts.set(
    part,
    all.filter((one) => !forgotten.has(one)),
  )
}

const alive = (data: MemoryData, part: string): readonly KeptRecord[] =>
  (data.recordParts.get(part) ?? []).filter(({ id }) => stored(data, 'idempotency', id) !== undefined)

/** Removes the lists of owners and groups that have no records left. */
export function tidyRecords(data: MemoryData): void {
  for (const part of data.recordParts.keys()) {
    const left = alive(data, part)
    if (left.length === 0) data.recordParts.delete(part)
    else data.recordParts.set(part, [...left])
  }
}
