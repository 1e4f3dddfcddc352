// `npm run conformance`: runs the conformance suite and fails on a rule without an executed, passing test, on a test of an
// unknown rule, and on a rule proved elsewhere whose test is not there. With --write it only makes docs/conformance.md anew.
// Needs `node --import tsx`, because the rules are TypeScript.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformancePage } from '../packages/tooling/src/conformance/page.ts'
import { RULES } from '../packages/tooling/src/conformance/rules/index.ts'
import { PAGE, ROOT, TESTS } from '../packages/tooling/src/conformance/sources.ts'
import { problemsOf } from '../packages/tooling/src/conformance/verdict.ts'

if (process.argv.includes('--write')) {
  writeFileSync(join(ROOT, PAGE), conformancePage())
  process.exit(0)
}

const problems = problemsOf(RULES, runSuite())
if (readFileSync(join(ROOT, PAGE), 'utf8') !== conformancePage()) {
  problems.push(`${PAGE} is out of date; run npm run conformance -- --write`)
}

for (const problem of problems) console.error(problem)
const proved = Object.keys(RULES).length
console.log(problems.length === 0 ? `${proved} rules, each proved` : `${problems.length} problems in ${proved} rules`)
process.exit(problems.length === 0 ? 0 : 1)

/** Every test with its status, read from the runner's own report. */
function runSuite() {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-conformance-'))
  const report = join(directory, 'report.json')
  const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'tooling', TESTS]
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
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}
