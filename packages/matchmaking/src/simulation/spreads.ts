import type { Proposal } from '../types'
import { Samples, Timeline } from './figures'

type States = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/**
 * Collects, for each of some numeric fields, the difference between the highest and the lowest value of the players of
 * each match.
 */
export class Spreads {
  readonly gaps = new Samples()
  readonly overTime: Timeline
  private readonly byField: ReadonlyMap<string, Samples>

  constructor(fields: readonly string[], stretchSeconds: number) {
    this.byField = new Map(fields.map((field) => [field, new Samples()]))
    this.overTime = new Timeline(stretchSeconds)
  }

  figures(): Record<string, { mean: number | null; p50: number | null; p90: number | null }> {
    const one = (samples: Samples) => ({
      mean: samples.mean(),
      p50: samples.percentile(0.5),
      p90: samples.percentile(0.9),
    })
    return Object.fromEntries([...this.byField].map(([field, samples]) => [field, one(samples)]))
  }

  record(proposal: Proposal, states: States, atSeconds: number): void {
    let first = true
    for (const [field, samples] of this.byField) {
      const values = [...states.values()].map((state) => state[field]).filter((value) => typeof value === 'number')
      if (values.length === 0) continue
      const spread = Math.max(...values) - Math.min(...values)
      samples.add(spread)
      if (first) {
        this.overTime.add(atSeconds, spread)
        this.recordGap(proposal, states, field)
      }
      first = false
    }
  }

  private recordGap(proposal: Proposal, states: States, field: string): void {
    const averages = proposal.teams.flatMap(({ players }) => {
      const values = players
        .map(({ playerId }) => states.get(playerId)?.[field])
        .filter((value) => typeof value === 'number')
      return values.length === 0 ? [] : [values.reduce((sum, value) => sum + value, 0) / values.length]
    })
    if (averages.length > 1) this.gaps.add(Math.max(...averages) - Math.min(...averages))
  }
}
