import type { Explanation } from '../types'

/** Why parties that found no match found none, as those were asked that were looked at. */
export interface UnmatchedFigures {
  /** That left at their timeout, gave up, or still waited when nobody came any more. */
  readonly parties: number
  /** Unmatched parties that gave up before their timeout, as recorded. */
  readonly gaveUp: number
  /** Unmatched parties that were explained, at the end of their wait. */
  readonly asked: number
  /** The most frequent first. */
  readonly reasons: readonly UnmatchedReason[]
}

/**
 * Main obstacle: `rule`, the rule that most waiting parties failed beside it; `alone`, no other party waited; `sizes`, others fitted, but team
 * sizes would have differed too much; `places`, others fitted, but a match was never full.
 */
export interface UnmatchedReason {
  readonly reason: 'rule' | 'alone' | 'sizes' | 'places'
  /** Type of the rule, or `version`; null without one. */
  readonly type: string | null
  readonly field: string | null
  readonly parties: number
  /** Share of those who waited that failed the rule, on average; 0 where none is named. */
  readonly rejected: number
}

/** Parties that are asked, at the most twice: past it every other one is left out from then on, so that the asked are spread over time. */
const ASKED = 128

/** Gathers why parties were not matched, at a cost that is bounded however many there are. */
export class Unmatched {
  private parties = 0
  private gaveUp = 0
  private stride = 1
  private asked = 0
  private sinceStride = 0
  private readonly reasons = new Map<string, { reason: UnmatchedReason; rejected: number }>()

  /** Records a party that leaves unmatched; `explain` is called while it still stands among the others. */
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
