import { RULES, type Rule } from './rules/index'
import { provingFiles, TESTS } from './sources'

const HEAD = `# Conformance

What the specification of the service and the contract beside it ask for, rule by rule, and what proves each. Made from
\`packages/tooling/src/conformance/rules\` by \`npm run generate\`; a test fails when it is out of date.

A rule's test carries its id in its title and is in \`${TESTS}\`. \`npm run prove -- conformance\` runs them all over
HTTP, judges every answer by the OpenAPI document, and fails on a rule without an executed, passing test.
`

const TITLES = { specification: 'The specification', contract: 'The contract' } as const

/** Returns the text of the page `docs/conformance.md`. */
export function conformancePage(): string {
  const files = provingFiles()
  const rules: (Rule & { readonly id: string })[] = Object.entries(RULES).map(([id, rule]) => ({ id, ...rule }))
  const parts = [HEAD, `${rules.length} rules.\n`]
  for (const law of ['specification', 'contract'] as const) {
    parts.push(`## ${TITLES[law]}\n`)
    const ofLaw = rules.filter((rule) => rule.law === law)
    for (const name of new Set(ofLaw.map(({ section }) => section))) {
      const rows = ofLaw.filter(({ section }) => section === name).map((rule) => rowOf(rule, files))
      parts.push(`### ${name}\n`, `| id | rule | proved by |\n|---|---|---|\n${rows.join('\n')}\n`)
    }
  }
  return parts.join('\n')
}

function rowOf({ id, text, provedBy }: Rule & { readonly id: string }, files: ReturnType<typeof provingFiles>): string {
  const proof = provedBy === undefined ? (files.get(id) ?? []).map(code).join(', ') : elsewhere(provedBy)
  return `| ${id} | ${text.replaceAll('|', '\\|')} | ${proof} |`
}

const code = (text: string) => `\`${text}\``

function elsewhere(provedBy: string): string {
  const [file = '', title = ''] = provedBy.split(' › ')
  return `${code(file)}: ${title}`
}
