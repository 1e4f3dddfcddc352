import type { MatchRule } from '@matchyard/matchmaking'

/** A rule with the bound that it has after a wait. */
export interface Relaxed {
  readonly type: MatchRule['type']
  readonly field?: string
  readonly maxMs?: number
  readonly scope?: string
  readonly seconds?: number
  readonly off?: boolean
}

/** Returns the rule with the bound that it has after a wait: the last expansion step that has been reached counts. */
export const relaxed = ({ expansions = [], ...rule }: MatchRule, waitedMs: number): Relaxed =>
  Object.assign({}, rule, ...expansions.filter(({ afterSeconds }) => waitedMs >= afterSeconds * 1_000)) as Relaxed
