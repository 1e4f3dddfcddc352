import { HOUR_MS, type Instant } from '../../shared/time'
import type { IdempotencyRecord } from './entities'

/**
 * Bounds of the idempotency records of one owner, and of one group. Both are kept by parts: a record is of one part of each, by its
 * id, and each part has its own bounds, so that a commit looks at a few rows of an index and nothing is counted that others wait for.
 */
export const KEPT_RECORDS = {
  /** Parts of an owner: 32,768 records and 32 MiB in all. */
  ownerParts: 1_024,
  /** Parts of a group: 131,072 records and 128 MiB in all. */
  groupParts: 4_096,
  /** Records of one part. */
  records: 32,
  /** Bytes of one part, the newest record always. */
  bytes: 32 * 1_024,
  /** Records beyond this number in one part are kept only for `crowdedMs`; for one owner that begins at about 4,096 records. */
  crowded: 4,
  crowdedMs: HOUR_MS,
  /** Bytes of a record besides its answer: two hashes, the owner, the group and two instants. */
  overheadBytes: 384,
} as const

/** Parts that a record is of, by their names; null where its owner is not known, or is of no group. */
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

/** Bytes that a record counts for. */
export const recordBytes = ({ bytes = 0 }: IdempotencyRecord): number => bytes + KEPT_RECORDS.overheadBytes

/** Records that a part must forget, of all that it holds, the newest first. */
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

/** FNV-1a of 32 bits: any function would do that spreads ids. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
