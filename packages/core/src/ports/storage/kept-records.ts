import { HOUR_MS, type Instant } from '../../shared/time'
import type { IdempotencyRecord } from './entities'

/**
 * Bounds of the idempotency records of one owner, and of one group. The ids of records divide the records of an owner into parts, and those
 * of a group too. Each part has its own bounds. A commit thus reads only a few rows of an index, and changes no shared count for which
 * other commits would have to wait.
 */
export const KEPT_RECORDS = {
  /** Number of parts into which the records of an owner are divided: at most 32,768 records and 32 MiB in all. */
  ownerParts: 1_024,
  /** Number of parts into which the records of a group are divided: at most 131,072 records and 128 MiB in all. */
  groupParts: 4_096,
  /** Maximum number of records in one part. */
  records: 32,
  /** Maximum bytes of one part. The newest record is kept even when it is larger. */
  bytes: 32 * 1_024,
  /**
   * Number of records in one part above which the older records are kept only for `crowdedMs`. With about 4,096 records of an owner, its
   * parts have this many.
   */
  crowded: 4,
  crowdedMs: HOUR_MS,
  /** Bytes of a record besides its answer: two hashes, the owner, the group and two instants. */
  overheadBytes: 384,
} as const

/**
 * Returns the names of the two parts to which a record belongs: of its owner and of its group. Null without a known owner, or without a
 * group.
 */
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

/** Returns the FNV-1a hash (32 bits) of a text. Other hash functions that spread ids evenly would work too. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
