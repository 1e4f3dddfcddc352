import { EXIT_REASONS, type ExitReason } from '../lobby/last-exit'
import {
  addWaits,
  EXITS,
  PROPOSAL_FIGURES,
  PROPOSALS,
  type ProposalFigure,
  type WaitTotal,
} from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'

/**
 * Figures of the last hour of a queue: its matches, and the waiting times of their parties. The waiting times are counted in buckets. Two
 * waiting times in the same bucket differ by at most a tenth.
 */
export class HourFigures {
  readonly matches: number
  /** Number of proposed matches, and number of proposed matches with each outcome. */
  readonly proposals: Readonly<Record<ProposalFigure, number>>
  /** Number of lobbies that returned to `waiting`, by reason. */
  readonly exits: Readonly<Record<ExitReason, number>>
  private readonly waits: readonly WaitTotal[]
  private readonly told = new Map<string, number | null>()

  constructor(totals: readonly WaitTotal[]) {
    this.matches = totals.find(({ players }) => players === 0)?.count ?? 0
    const counted = <Name extends string>(names: readonly Name[], players: number) =>
      Object.fromEntries(
        names.map((name, bucket) => [
          name,
          totals.find((total) => total.players === players && total.bucket === bucket)?.count ?? 0,
        ]),
      ) as Record<Name, number>
    this.proposals = counted(PROPOSAL_FIGURES, PROPOSALS)
    this.exits = counted(EXIT_REASONS, EXITS)
    this.waits = totals.filter(({ players }) => players > 0)
  }

  /**
   * Returns the nearest-rank percentile of the parties' waiting times, in seconds; null without parties. `players` selects the parties with
   * that number of players. The result is exact for the shortest and the longest time of a bucket. Other results differ from the true time
   * by at most a tenth, and times below one second by at most a second.
   */
  waitSeconds(share: number, players?: number): number | null {
    // Within a second, every waiting party asks for the same percentiles, so each percentile is computed once.
    const question = `${share} ${players}`
    const known = this.told.get(question)
    if (known !== undefined) return known
    const seconds = this.percentile(share, players)
    this.told.set(question, seconds)
    return seconds
  }

  private percentile(share: number, players: number | undefined): number | null {
    const byBucket = new Map<number, WaitTotal>()
    for (const total of this.waits) {
      if (players === undefined || total.players === players) {
        byBucket.set(total.bucket, addWaits(byBucket.get(total.bucket), total))
      }
    }
    const buckets = [...byBucket.values()].sort((a, b) => a.bucket - b.bucket)
    let rank = Math.max(1, Math.ceil(buckets.reduce((sum, { count }) => sum + count, 0) * share))
    for (const bucket of buckets) {
      if (rank <= bucket.count) return Math.round(waitAt(bucket, rank)) / SECOND_MS
      rank -= bucket.count
    }
    return null
  }
}

/**
 * Returns the estimated waiting time of a rank in a bucket, as if the times of the bucket were spread evenly between its shortest and its
 * longest time.
 */
const waitAt = ({ count, leastMs, mostMs }: WaitTotal, rank: number): number =>
  count === 1 ? leastMs : leastMs + ((mostMs - leastMs) * (rank - 1)) / (count - 1)
