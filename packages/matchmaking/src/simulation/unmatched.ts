import type { Explanation } from '../types'

/** Reasons why parties found no match, from a sample of these parties. */
export interface UnmatchedFigures {
  /** Number of parties that timed out or gave up. */
  readonly parties: number
  /** Number of unmatched parties that gave up before their timeout, as in the recorded arrivals. */
  readonly gaveUp: number
  /** Number of unmatched parties in the sample; the reasons of each were computed at the end of its wait. */
  readonly asked: number
  /** Reasons why parties found no match, the most frequent reason first. */
  readonly reasons: readonly UnmatchedReason[]
}

/**
 * The main reason why some parties found no match.
 * - `rule`: the rule that most other waiting parties failed.
 * - `alone`: no other party waited.
 * - `sizes`: other parties fitted, but the team sizes would have differed too much.
 * - `places`: other parties fitted, but they did not fill a match.
 */
export interface UnmatchedReason {
  readonly reason: 'rule' | 'alone' | 'sizes' | 'places'
  /** Type of the rule, or `version`; null for other reasons. */
  readonly type: string | null
  readonly field: string | null
  readonly parties: number
  /** Average share (0 to 1) of the other waiting parties that failed the rule; 0 for other reasons. */
  readonly rejected: number
}

/**
 * Number of explained parties after which the sample becomes half as dense, each time again, so that it covers the
 * whole time.
 */
const ASKED = 128

/** Collects the reasons why parties found no match. The time and memory stay bounded for any number of parties. */
export class Unmatched {
  private parties = 0
  private gaveUp = 0
  private stride = 1
  private asked = 0
  private sinceStride = 0
  private readonly reasons = new Map<string, { reason: UnmatchedReason; rejected: number }>()

  /** Records a party that leaves without a match. The method calls `explain` while the party is still in the pool. */
  leave(explain: () => Explanation | undefined, gaveUp: boolean): void {
    const place = this.parties++
    if (gaveUp) this.gaveUp++
    if (place % this.stride !== 0) return
    if (++this.sinceStride > ASKED) {
      this.stride *= 2
      this.sinceStride = 0
    }
    const explanation = explain()
    if (explanation !== undefined) this.note(explanation)
  }

  figures(): UnmatchedFigures {
    const reasons = [...this.reasons.values()]
      .map(({ reason, rejected }) => ({ ...reason, rejected: rejected / reason.parties }))
      .sort((a, b) => b.parties - a.parties || (nameOf(a) < nameOf(b) ? -1 : 1))
    return { parties: this.parties, gaveUp: this.gaveUp, asked: this.asked, reasons }
  }

  private note(explanation: Explanation): void {
    this.asked++
    const { rejected, ...found } = reasonOf(explanation)
    const name = nameOf(found)
    const known = this.reasons.get(name)
    const parties = (known?.reason.parties ?? 0) + 1
    this.reasons.set(name, {
      reason: { ...found, parties, rejected: 0 },
      rejected: (known?.rejected ?? 0) + rejected,
    })
  }
}

const nameOf = ({ reason, type, field }: Pick<UnmatchedReason, 'reason' | 'type' | 'field'>) =>
  `${reason} ${type ?? ''} ${field ?? ''}`

function reasonOf({ rules, fittingAll, maxSizeDifference, sampled }: Explanation): Omit<UnmatchedReason, 'parties'> {
  if (sampled === 0) return { reason: 'alone', type: null, field: null, rejected: 0 }
  if (maxSizeDifference !== null) return { reason: 'sizes', type: null, field: null, rejected: 0 }
  const [worst] = [...rules].sort((a, b) => b.failing - a.failing)
  if (fittingAll > 0 || worst === undefined || worst.failing === 0) {
    return { reason: 'places', type: null, field: null, rejected: 0 }
  }
  const { type, field, passing, failing } = worst
  return { reason: 'rule', type, field, rejected: failing / (passing + failing) }
}
