import type { Match } from '../../match/match'
import type { Instant } from '../../shared/time'
import { MINUTE_MS, SECOND_MS } from '../../shared/time'

/** Neighbouring lengths of waiting that are counted together: the longest of a bucket is less than this many times its shortest. */
const BUCKET_GROWTH = 1.1
/** The first bucket: everything shorter. */
const FIRST_BUCKET_MS = 1 * SECOND_MS
/** How much time one cell stands for: matches are counted by the minute, waits by five, so that an hour of them is read at once. */
const MATCH_SLOT_MS = 1 * MINUTE_MS
const WAIT_SLOT_MS = 5 * MINUTE_MS

/** What a reader is told of: the cells of several slots, added up. */
export interface WaitTotal {
  /** The size of the parties counted; 0 where the matches themselves are. */
  readonly players: number
  /** Which lengths of waiting are counted together; 0 for matches. */
  readonly bucket: number
  readonly count: number
  /** Milliseconds that the shortest and the longest of these waits took; 0 for matches. */
  readonly leastMs: number
  readonly mostMs: number
}

/** What a match adds to its queue's figures. */
export interface WaitCell extends WaitTotal {
  /** When the slot begins that the match was made in. */
  readonly slot: Instant
}

/**
 * What a match adds to the figures of its queue when it is first put: itself, and what its parties had waited. An adapter keeps
 * one sum per (queue, players, bucket, slot): `count` adds up, `leastMs` and `mostMs` are the least and the most. All adapters count
 * with this, so that their figures are the same. A direct start, in which nobody waited, adds nothing. No two cells have one key.
 */
export function waitCellsOf(match: Match): readonly WaitCell[] {
  if (match.waits.length === 0) return []
  const cells = new Map<string, WaitCell>()
  const slot = slotOf(match.createdAt, WAIT_SLOT_MS)
  for (const wait of match.waits) {
    const waitedMs = Math.max(0, wait.waitedMs)
    const cell = {
      players: wait.players,
      bucket: bucketOf(waitedMs),
      slot,
      count: 1,
      leastMs: waitedMs,
      mostMs: waitedMs,
    }
    const key = `${cell.players}/${cell.bucket}`
    cells.set(key, { ...cell, ...addWaits(cells.get(key), cell) })
  }
  const itself = {
    players: 0,
    bucket: 0,
    slot: slotOf(match.createdAt, MATCH_SLOT_MS),
    count: 1,
    leastMs: 0,
    mostMs: 0,
  }
  return [itself, ...cells.values()]
}

/** Two sums of one cell, or of one bucket in several slots, as one. */
export const addWaits = <T extends WaitTotal>(sum: T | undefined, more: T): T =>
  sum === undefined
    ? more
    : {
        ...sum,
        count: sum.count + more.count,
        leastMs: Math.min(sum.leastMs, more.leastMs),
        mostMs: Math.max(sum.mostMs, more.mostMs),
      }

const slotOf = (at: Instant, lengthMs: number): Instant => Math.floor(at / lengthMs) * lengthMs

const bucketOf = (waitedMs: number): number =>
  waitedMs < FIRST_BUCKET_MS ? 0 : 1 + Math.floor(Math.log(waitedMs / FIRST_BUCKET_MS) / Math.log(BUCKET_GROWTH))
