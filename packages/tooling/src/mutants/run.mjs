// `npm run prove -- mutants [word …]`: changes the sources of the scope one small thing at a time, and counts the changes that a test finds.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { environment, packageManager, root } from '../workspace.mjs'
import { scoreOf, shareOf } from './report.mjs'
import { digestOf, scopeIn } from './scope.mjs'

/** Share of the mutants that the tests must find. */
const LEAST = 0.85
/** The last version of Stryker that runs on Node 20. */
const STRYKER = '9.6.1'

const kept = join(root, 'node_modules', '.cache', 'mutants')
const judged = JSON.parse(readFileSync(new URL('./judged.json', import.meta.url), 'utf8'))
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, stdio: 'inherit', env: environment() })

/** Installs Stryker beside the workspace: nothing else needs it. Returns its folder of modules. */
function tools() {
  const place = join(kept, `stryker-${STRYKER}`)
  const modules = join(place, 'node_modules')
  if (existsSync(join(modules, '@stryker-mutator', 'core'))) return modules
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wanted = [`@stryker-mutator/core@${STRYKER}`, `@stryker-mutator/vitest-runner@${STRYKER}`]
  run(place, 'npm', 'install', '--no-audit', '--no-fund', '--silent', ...wanted, `vitest@${devDependencies.vitest}`)
  return modules
}

/** Makes a copy of the last commit with everything installed: Stryker changes sources in place. Returns its folder. */
function copy() {
  const place = mkdtempSync(join(tmpdir(), 'mutants-'))
  run(root, 'git', 'worktree', 'add', '--quiet', '--detach', place, 'HEAD')
  run(
    place,
    'npx',
    '--yes',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--ignore-scripts',
    '--silent',
  )
  return place
}

function mutate(place, modules, { project, path }, reportAt) {
  const folder = join(place, 'packages', project)
  const config = join(folder, 'stryker.config.json')
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: [pathToFileURL(join(modules, '@stryker-mutator', 'vitest-runner', 'dist', 'src', 'index.js')).href],
      vitest: { configFile: 'vitest.config.ts' },
      mutate: [path],
      inPlace: true,
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      concurrency: 2,
      reporters: ['json'],
      jsonReporter: { fileName: reportAt },
    }),
  )
  run(folder, 'node', join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js'), 'run', config)
}

const files = scopeIn(root, process.argv.slice(2))
if (files.length === 0) throw new Error('no file of the scope is named so')
const modules = tools()
let place
const scores = []
try {
  for (const file of files) {
    const name = `${file.project}/${file.path}`
    const reportAt = join(kept, `${name.replaceAll('/', '_')}.${digestOf(root, file).slice(0, 16)}.json`)
    if (!existsSync(reportAt)) {
      place ??= copy()
      mutate(place, modules, file, reportAt)
    }
    const score = scoreOf(JSON.parse(readFileSync(reportAt, 'utf8')), Object.keys(judged[name] ?? {}))
    scores.push(score)
    console.log(
      `${(100 * shareOf([score])).toFixed(1).padStart(5)} %  ${name}: ${score.found} found, ${score.judged} judged`,
    )
    for (const mutant of score.missed) console.log(`         missed ${mutant}`)
  }
} finally {
  if (place !== undefined) {
    rmSync(place, { recursive: true, force: true })
    run(root, 'git', 'worktree', 'prune')
  }
}
const share = shareOf(scores)
console.log(
  `${(100 * share).toFixed(1)} % of all mutants in ${files.length} files were found; at least ${100 * LEAST} % must be.`,
)
if (share < LEAST) process.exitCode = 1
