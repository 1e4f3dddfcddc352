import { test } from 'vitest'
import { RULES, type RuleId } from './rules/index'

/** Registers the only test of a rule; the test's name consists of the rule's id and text. */
export function rule(id: RuleId, prove: () => Promise<void> | void): void {
  test(`${id} ${RULES[id].text}`, prove)
}
