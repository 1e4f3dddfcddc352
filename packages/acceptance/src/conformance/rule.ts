import { test } from 'vitest'
import { LEFT_OUT } from './beside/left-out'
import { isBeside } from './beside/variables'
import { RULES, type RuleId } from './rules/index'

/** The one test of a rule, named with its id and its words. */
export function rule(id: RuleId, prove: () => Promise<void> | void): void {
  test.skipIf(isBeside() && LEFT_OUT[id] !== undefined)(`${id} ${RULES[id].text}`, prove)
}
