// `npm run prove -- conformance`: runs the conformance suite. Fails when a rule has no executed, passing test; when a
// test names an unknown rule; and when the test of a rule outside the suite does not exist.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RULES } from './rules/index'
import { ROOT, TESTS } from './sources'
import { type ExecutedTest, problemsOf } from './verdict'

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly ExecutedTest[] }[]
}

const problems = problemsOf(RULES, runSuite())
for (const problem of problems) console.error(problem)
const proved = Object.keys(RULES).length
console.log(problems.length === 0 ? `${proved} rules, each proved` : `${problems.length} problems in ${proved} rules`)
process.exit(problems.length === 0 ? 0 : 1)

/** Returns all executed tests with their statuses, from the runner's JSON report. */
function runSuite(): readonly ExecutedTest[] {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-conformance-'))
  const report = join(directory, 'report.json')
  const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'tooling', TESTS]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  spawnSync(process.execPath, [vitest, ...args, ...reporters], { cwd: ROOT, stdio: 'inherit' })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(directory, { recursive: true, force: true })
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}
