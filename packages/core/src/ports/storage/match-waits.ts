import { EXIT_REASONS, type ExitReason } from '../../lobby/last-exit'
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

/** Sum of the cells of several slots, as readers get it. */
export interface WaitTotal {
  /** The size of the parties counted; 0 where the matches themselves are, PROPOSALS where proposed matches are, EXITS where ways back are. */
  readonly players: number
  /** Which lengths of waiting are counted together; 0 for matches, the index in PROPOSAL_FIGURES for proposed ones. */
  readonly bucket: number
  readonly count: number
  /** Milliseconds that the shortest and the longest of these waits took; 0 for matches, proposed ones too. */
  readonly leastMs: number
  readonly mostMs: number
}

/** Contribution of a match to its queue's figures. */
export interface WaitCell extends WaitTotal {
  /** When the slot begins that the match was made in. */
  readonly slot: Instant
}

/** Stands for the size of a party where proposed matches are counted: below every size, so that who does not know it passes it by. */
export const PROPOSALS = -1
/** Counters of proposed matches, each by its index. Proposals that became impossible count only in the first. */
export const PROPOSAL_FIGURES = ['made', 'accepted', 'declined', 'expired'] as const
export type ProposalFigure = (typeof PROPOSAL_FIGURES)[number]

/** Stands for the size of a party where it is counted how lobbies came back to `waiting`: the bucket is the reason's place in EXIT_REASONS. */
export const EXITS = -2

/** Contribution of a commit to the figures of a queue, besides the cells that `waitCellsOf` derives from its matches. */
export interface QueueFigure extends WaitCell {
  readonly queueKey: string
}

/** A lobby of the queue came back to `waiting`. */
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
 * Returns the contribution of a put match to the figures of its queue: the match and the waiting times of its parties when it is made, and the
 * outcome of its proposal where its players are asked. An adapter calls this for every put of a match and keeps one sum per (queue, players,
 * bucket, slot): `count` adds up, `leastMs` and `mostMs` are the least and the most. All adapters count with this, so that their figures are
 * the same. A direct start without waiting adds nothing. No two cells have the same key.
 */
export function waitCellsOf(match: Match): readonly WaitCell[] {
  const { version, proposal, createdAt, endedAt } = match
  if (proposal === undefined) return version === 1 ? cellsOfMade(match) : []
  if (version === 1) return [proposalCell('made', createdAt)]
  // Each version is put once, so what came of it is counted once.
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
