// `npm run conformance`: runs the conformance suite and fails on a rule without an executed, passing test, on a test of an
// unknown rule, and on a rule proved elsewhere whose test is not there. With --write it only makes docs/conformance.md anew.
// Needs `node --import tsx`, because the rules are TypeScript.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformancePage } from '../packages/acceptance/src/conformance/page.ts'
import { RULES } from '../packages/acceptance/src/conformance/rules/index.ts'
import { PAGE, ROOT, TESTS, testExists } from '../packages/acceptance/src/conformance/sources.ts'

if (process.argv.includes('--write')) {
  writeFileSync(join(ROOT, PAGE), conformancePage())
  process.exit(0)
}

const problems = []
const executed = runSuite()
for (const [id, { text, provedBy }] of Object.entries(RULES)) {
  if (provedBy !== undefined) {
    if (!testExists(provedBy)) problems.push(`${id}: there is no test "${provedBy}"`)
  } else if (!executed.has(id)) problems.push(`${id}: no test was executed (${text})`)
}
for (const [id, statuses] of executed) {
  if (!Object.hasOwn(RULES, id)) problems.push(`${id}: a test of no rule`)
  if (statuses.length > 1) problems.push(`${id}: ${statuses.length} tests`)
  if (statuses.some((status) => status !== 'passed')) problems.push(`${id}: ${statuses.join(', ')}`)
}
if (readFileSync(join(ROOT, PAGE), 'utf8') !== conformancePage()) {
  problems.push(`${PAGE} is out of date; run npm run docs:conformance`)
}

for (const problem of problems) console.error(problem)
const proved = Object.keys(RULES).length
console.log(problems.length === 0 ? `${proved} rules, each proved` : `${problems.length} problems in ${proved} rules`)
process.exit(problems.length === 0 ? 0 : 1)

/** The status of every test by the rule id in its title, read from the runner's own report. */
function runSuite() {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-conformance-'))
  const report = join(directory, 'report.json')
  const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'acceptance', TESTS]
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  spawnSync(
    process.execPath,
    [vitest, ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(directory, { recursive: true, force: true })
  const byId = new Map()
  for (const { title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const id = /^[SC]-[A-Z0-9]+-\d+(?= )/.exec(title)?.[0]
    if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), status])
    else if (status !== 'passed') problems.push(`${title}: ${status}`)
  }
  return byId
}
