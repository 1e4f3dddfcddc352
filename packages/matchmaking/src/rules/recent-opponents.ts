import type { RecentOpponentsRule } from '../types'
import { SECONDS } from './rule-bound'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'

/**
 * Rule type `recent_opponents`: no two players of different parties were opponents, or in one match, in a match that
 * began less than `seconds` ago.
 */
export const recentOpponents = ruleKind<RecentOpponentsRule, never>({
  type: 'recent_opponents',
  shape: 'apart',
  hasNoField: true,
  wants: '',
  bound: SECONDS,
  scopes: ['opponents', 'anyone'],
  read: () => undefined,
  eachNamed: ({ playerId, recent = [] }, { scope }, tell) => {
    for (const other of recent) {
      if (other.playerId !== playerId && (other.opponent || scope === 'anyone')) tell(other.playerId, other.at)
    }
  },
  holds: () => true,
})

export const recentOpponentsForm: RuleForm<RecentOpponentsRule> = {
  label: 'recent opponents',
  asks: 'opponents do not meet again for',
  reads: null,
  sample: () => undefined,
}
