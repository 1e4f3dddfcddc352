import { RULES, type RuleId } from '../rules/index'
import { type ExecutedTest, problemsOf } from '../verdict'
import { LEFT_OUT } from './left-out'

const isProvedHere = (id: RuleId): boolean => !('provedBy' in RULES[id])

/** The rules that have to hold through the release before and this one. */
export const THROUGH_BOTH: readonly RuleId[] = (Object.keys(RULES) as RuleId[]).filter(
  (id) => isProvedHere(id) && LEFT_OUT[id] === undefined,
)

/** What is wrong with a run of these rules' tests; of others nothing was asked, so they were skipped. */
export function besideProblems(rules: readonly RuleId[], executed: readonly ExecutedTest[]): string[] {
  const asked = Object.fromEntries(rules.map((id) => [id, RULES[id]]))
  return problemsOf(
    asked,
    executed.filter(({ status }) => status !== 'skipped'),
  )
}
