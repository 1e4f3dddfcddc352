import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@matchyard/storage-postgres/testing'
import { checkOutReleaseBefore } from '../../releases/release-before'
import type { RuleId } from '../rules/index'
import { provingFiles, ROOT, TESTS } from '../sources'
import type { ExecutedTest } from '../verdict'
import { makeTemplate } from './databases'
import { type First, told } from './variables'

export interface BesideRun {
  /** Runs the tests of these rules, or of all, with that release taking the first call of each. */
  run(first: First, options?: RunOptions): Promise<Ran>
  end(): Promise<void>
}

export interface RunOptions {
  readonly rules?: readonly RuleId[]
  /** Whether what the run says goes where this process's words go. */
  readonly isWatched?: boolean
}

export interface Ran {
  readonly executed: readonly ExecutedTest[]
  /** Its last words, where nobody watched. */
  readonly said: string
}

/** The conformance suite as a run of its own, whose every world is two nodes on one database: this release and the one before. */
export async function startBeside(): Promise<BesideRun> {
  const release = checkOutReleaseBefore()
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-conformance-'))
  const server = await startServer(SETTINGS)
  await makeTemplate(server.url)
  return {
    async run(first, { rules, isWatched = false } = {}) {
      const report = join(folder, `${first}.json`)
      const tests = rules === undefined ? [TESTS] : testsOf(rules)
      const variables = told({ tree: release.folder, server: server.url, first })
      const said = await vitest([...tests, `--outputFile.json=${report}`], variables, isWatched)
      if (!existsSync(report)) throw new Error(`the run through both releases did not come to its end: ${said}`)
      return { executed: executedOf(report), said }
    },
    async end() {
      await server.stop()
      release.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The files that hold their tests, and what picks them there. */
function testsOf(rules: readonly RuleId[]): readonly string[] {
  const files = provingFiles()
  const names = new Set(rules.flatMap((id) => files.get(id) ?? []))
  return [...[...names].map((name) => `${TESTS}/${name}`), '-t', `^(${rules.join('|')}) `]
}

/**
 * A tick of a director sees what was written before the oldest transaction that is open on the whole server, in whichever database, and a test
 * wants to know when that is.
 */
const SETTINGS = ['autovacuum=off']
const ONE_AFTER_ANOTHER = '--maxWorkers=1'
/** Files share what they have loaded: the sources of two releases are most of a short file's time. */
const SHARED = '--no-isolate'
const OPTIONS = [
  ...['--root', 'packages/acceptance'],
  ...[ONE_AFTER_ANOTHER, SHARED, '--reporter=default', '--reporter=json'],
]

/** Answers its last words, where nobody watched. */
function vitest(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  isWatched: boolean,
): Promise<string> {
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  // Of a run around this one nothing is taken over.
  const around = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV')
  const words = isWatched ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [program, 'run', ...OPTIONS, ...args], {
    cwd: ROOT,
    stdio: ['ignore', words, words],
    env: { ...Object.fromEntries(around), ...variables },
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => said.push(piece))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(said).toString().slice(-KEPT)))
  })
}

/** Characters of what a run said. */
const KEPT = 8_000

function executedOf(report: string): readonly ExecutedTest[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: ExecutedTest[] }[]
  }
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}
