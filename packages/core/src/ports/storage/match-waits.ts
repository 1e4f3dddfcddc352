import { EXIT_REASONS, type ExitReason } from '../../lobby/last-exit'
import type { Match } from '../../match/match'
import type { Instant } from '../../shared/time'
import { MINUTE_MS, SECOND_MS } from '../../shared/time'

/** Growth of the buckets of waiting times: the longest wait of a bucket is less than this many times its shortest wait. */
const BUCKET_GROWTH = 1.1
/** Milliseconds. All waiting times below this number are in the first bucket. */
const FIRST_BUCKET_MS = 1 * SECOND_MS
/** Milliseconds of one slot. Matches are counted by the minute and waits by five minutes, so that reading the last hour takes few cells. */
const MATCH_SLOT_MS = 1 * MINUTE_MS
const WAIT_SLOT_MS = 5 * MINUTE_MS

/** Sum of the cells (counted amounts) of several slots of time, as readers get it. */
export interface WaitTotal {
  /** Party size whose waits are counted; 0 for matches, PROPOSALS for proposed matches, EXITS for returns to `waiting`. */
  readonly players: number
  /**
   * Bucket of waiting times; 0 for matches, the index in PROPOSAL_FIGURES for proposed matches, the index in EXIT_REASONS for returns to
   * `waiting`.
   */
  readonly bucket: number
  readonly count: number
  /** Milliseconds of the shortest wait; `mostMs` is the longest. Both are 0 for matches, proposed matches and returns to `waiting`. */
  readonly leastMs: number
  readonly mostMs: number
}

/** Cell of a queue's figures: the amount that a match adds for one party size, one bucket of waiting times and one slot of time. */
export interface WaitCell extends WaitTotal {
  /** Start of the slot of the counted event: the match, the proposal or its outcome, or the return to `waiting`. */
  readonly slot: Instant
}

/**
 * Value of `players` in cells of proposed matches. It is below every party size, so that code of an earlier release ignores these cells.
 */
export const PROPOSALS = -1
/**
 * Outcomes by which proposed matches are counted; `bucket` is the index in this list. A proposal that became impossible counts only as
 * `made`.
 */
export const PROPOSAL_FIGURES = ['made', 'accepted', 'declined', 'expired'] as const
export type ProposalFigure = (typeof PROPOSAL_FIGURES)[number]

/** Value of `players` in cells of lobbies that returned to `waiting`; `bucket` is the index of the reason in EXIT_REASONS. */
export const EXITS = -2

/** Cell that a commit adds to the figures of a queue, besides the cells that `waitCellsOf` derives from its matches. */
export interface QueueFigure extends WaitCell {
  readonly queueKey: string
}

/** Returns the figure that counts one lobby of the queue that returned to `waiting`. */
export const exitFigure = (queueKey: string, reason: ExitReason, at: Instant): QueueFigure => ({
  queueKey,
  players: EXITS,
  bucket: EXIT_REASONS.indexOf(reason),
  slot: slotOf(at, MATCH_SLOT_MS),
  count: 1,
  leastMs: 0,
  mostMs: 0,
})

/**
 * Returns the cells that a stored version of a match adds to the figures of its queue. When the match is made, it adds one cell for itself,
 * and cells for the waiting times of its parties. A proposed match also adds one cell when it is proposed, and one for its outcome, unless
 * it became impossible. A direct start without waiting adds nothing. No two cells have the same key.
 *
 * An adapter calls this function for every put of a match, and keeps one sum for each (queue, players, bucket, slot). It adds up `count`,
 * and keeps the smallest `leastMs` and the largest `mostMs`. All adapters use this function, so that their figures are the same.
 */
export function waitCellsOf(match: Match): readonly WaitCell[] {
  const { version, proposal, createdAt, endedAt } = match
  if (proposal === undefined) return version === 1 ? cellsOfMade(match) : []
  if (version === 1) return [proposalCell('made', createdAt)]
  // Each version is put once, so the outcome of a proposal is counted once.
  if (proposal.settled?.version !== version || proposal.settled.outcome === 'impossible') return []
  const { outcome } = proposal.settled
  if (outcome === 'accepted') return [proposalCell(outcome, createdAt), ...cellsOfMade(match)]
  return [proposalCell(outcome, endedAt ?? createdAt)]
}

const proposalCell = (figure: ProposalFigure, at: Instant): WaitCell => ({
  players: PROPOSALS,
  bucket: PROPOSAL_FIGURES.indexOf(figure),
  slot: slotOf(at, MATCH_SLOT_MS),
  count: 1,
  leastMs: 0,
  mostMs: 0,
})

function cellsOfMade(match: Match): readonly WaitCell[] {
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

/** Returns the sum of two totals with the same `players` and `bucket`. */
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
