import type { Rule } from './rules/index'
import { testExists } from './sources'

/** One executed test: its title, which begins with the rule's id, and its status. */
export interface ExecutedTest {
  readonly title: string
  readonly status: string
}

const RULE_ID = /^[SC]-[A-Z0-9]+-\d+(?= )/

/**
 * Returns the problems of a test run: rules without exactly one executed, passing test; tests of unknown rules; and
 * failed tests.
 */
export function problemsOf(rules: Readonly<Record<string, Rule>>, executed: readonly ExecutedTest[]): string[] {
  const problems: string[] = []
  const byId = new Map<string, string[]>()
  for (const { title, status } of executed) {
    const id = RULE_ID.exec(title)?.[0]
    if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), status])
    else if (status !== 'passed') problems.push(`${title}: ${status}`)
  }
  for (const [id, { text, provedBy }] of Object.entries(rules)) {
    if (provedBy !== undefined && !testExists(provedBy)) problems.push(`${id}: there is no test "${provedBy}"`)
    if (provedBy === undefined && !byId.has(id)) problems.push(`${id}: no test was executed (${text})`)
  }
  for (const [id, statuses] of byId) {
    if (!Object.hasOwn(rules, id)) problems.push(`${id}: a test of no rule`)
    if (statuses.length > 1) problems.push(`${id}: ${statuses.length} tests`)
    if (statuses.some((status) => status !== 'passed')) problems.push(`${id}: ${statuses.join(', ')}`)
  }
  return problems
}
