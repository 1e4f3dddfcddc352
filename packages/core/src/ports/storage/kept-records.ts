import { HOUR_MS, type Instant } from '../../shared/time'
import type { IdempotencyRecord } from './entities'

/**
 * Bounds of the idempotency records of one owner, and of one group. The records of an owner are divided into parts by their ids, and so are
 * those of a group. Each part has its own bounds. A commit thus reads a few rows of an index, and updates no count for which other commits
 * would wait.
 */
export const KEPT_RECORDS = {
  /** Number of parts of an owner: 32,768 records and 32 MiB in all. */
  ownerParts: 1_024,
  /** Number of parts of a group: 131,072 records and 128 MiB in all. */
  groupParts: 4_096,
  /** Maximum number of records in one part. */
  records: 32,
  /** Maximum bytes of one part; the newest record is always kept. */
  bytes: 32 * 1_024,
  /** Number of records in one part beyond which records are kept only for `crowdedMs`. An owner reaches it with about 4,096 records. */
  crowded: 4,
  crowdedMs: HOUR_MS,
  /** Bytes of a record besides its answer: two hashes, the owner, the group and two instants. */
  overheadBytes: 384,
} as const

/** Returns the names of the parts to which a record belongs; null without a known owner, or without a group. */
export function partsOf({ id, owner, group }: IdempotencyRecord): {
  readonly owner: string | null
  readonly group: string | null
} {
  const hash = hashOf(id)
  return {
    owner: owner === undefined ? null : `${owner}/${hash % KEPT_RECORDS.ownerParts}`,
    group: group === undefined || group === null ? null : `${group}/${hash % KEPT_RECORDS.groupParts}`,
  }
}

/** Returns the bytes that a record counts towards the bounds. */
export const recordBytes = ({ bytes = 0 }: IdempotencyRecord): number => bytes + KEPT_RECORDS.overheadBytes

/** Returns the records that a part must delete, given all of its records, newest first. */
export function pastBounds<T extends { readonly createdAt: Instant; readonly bytes: number }>(
  newestFirst: readonly T[],
  at: Instant,
): T[] {
  const { records, bytes, crowded, crowdedMs } = KEPT_RECORDS
  let total = 0
  return newestFirst.filter((record, index) => {
    total += record.bytes
    if (index === 0) return false
    return index >= records || total > bytes || (index >= crowded && record.createdAt < at - crowdedMs)
  })
}

/** Returns the FNV-1a hash (32 bits) of a text. Any function that spreads ids evenly would do. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
