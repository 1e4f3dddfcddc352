// `npm run prove -- mutants [word …]`: makes one small change (a mutant) at a time in the source files of `scope.mjs`,
// and counts the mutants that a test finds.
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
/**
 * Number of files in one run of Stryker, the mutation tester. Each run starts with all tests of the package, and an
 * interrupted run loses only the results of its own files.
 */
const AT_ONCE = 8
/** The last version of Stryker that runs on Node 20. */
const STRYKER = '9.6.1'

const kept = join(root, 'node_modules', '.cache', 'mutants')
const judged = JSON.parse(readFileSync(new URL('./judged.json', import.meta.url), 'utf8'))
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, stdio: 'inherit', env: environment() })

/** Installs Stryker outside the workspace, because only this program needs it. Returns the folder of its modules. */
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

/**
 * Creates a copy of the last commit with all packages installed, because Stryker changes source files in place. Returns
 * the folder of the copy.
 */
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

/** Tests the mutants of some files of one package, and keeps the report of each file. */
function mutate(place, modules, files) {
  const folder = join(place, 'packages', files[0].project)
  const config = join(folder, 'stryker.config.json')
  const fileName = join(folder, 'mutants.json')
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: [pathToFileURL(join(modules, '@stryker-mutator', 'vitest-runner', 'dist', 'src', 'index.js')).href],
      vitest: { configFile: 'vitest.config.ts' },
      mutate: files.map(({ path }) => path),
      inPlace: true,
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      concurrency: 2,
      reporters: ['json'],
      jsonReporter: { fileName },
    }),
  )
  run(folder, 'node', join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js'), 'run', config)
  const report = JSON.parse(readFileSync(fileName, 'utf8'))
  for (const { path, reportAt } of files) {
    const own = report.files[path]
    writeFileSync(reportAt, JSON.stringify({ files: own === undefined ? {} : { [path]: own } }))
  }
}

/** Returns the files in groups. A group contains at most `AT_ONCE` files of one package. */
function groupsOf(files) {
  const groups = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last?.[0].project === file.project && last.length < AT_ONCE) last.push(file)
    else groups.push([file])
  }
  return groups
}

function tell({ name, reportAt }) {
  const score = scoreOf(JSON.parse(readFileSync(reportAt, 'utf8')), Object.keys(judged[name] ?? {}))
  console.log(
    `${(100 * shareOf([score])).toFixed(1).padStart(5)} %  ${name}: ${score.found} found, ${score.judged} judged`,
  )
  for (const { line, change } of score.missed) console.log(`         missed line ${line}: ${change}`)
  return score
}

const files = scopeIn(root, process.argv.slice(2)).map((file) => {
  const name = `${file.project}/${file.path}`
  const digest = digestOf(root, file).slice(0, 16)
  return { ...file, name, reportAt: join(kept, `${name.replaceAll('/', '_')}.${digest}.json`) }
})
if (files.length === 0) throw new Error('no file of the scope is named so')
const modules = tools()
let place
try {
  for (const group of groupsOf(files.filter(({ reportAt }) => !existsSync(reportAt)))) {
    place ??= copy()
    mutate(place, modules, group)
    for (const file of group) tell(file)
  }
} finally {
  if (place !== undefined) {
    rmSync(place, { recursive: true, force: true })
    run(root, 'git', 'worktree', 'prune')
  }
}
console.log('All files:')
const share = shareOf(files.map(tell))
console.log(
  `${(100 * share).toFixed(1)} % of all mutants in ${files.length} files were found; at least ${100 * LEAST} % must be.`,
)
if (share < LEAST) process.exitCode = 1
