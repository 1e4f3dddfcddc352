// Functions that `npm start`, `npm test` and other commands use, for a machine that has only Node.js and npm.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  console.error(`Matchyard needs Node 20.19+ or 22.12+; this is ${process.versions.node}.`)
  process.exit(1)
}

/**
 * Returns the environment variables of child processes. When the headers of this Node.js exist, native add-ons are
 * built with them.
 */
export function environment() {
  const prefix = dirname(dirname(process.execPath))
  const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node.h'))
  return {
    ...process.env,
    ...(hasHeaders ? { npm_config_nodedir: prefix } : {}),
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
  }
}

/**
 * Runs a program to its end. When the program fails, exits with the program's exit code. `addedEnv` adds variables to
 * the environment of this process.
 */
export function run(command, args, { addedEnv = {}, ...options } = {}) {
  const env = { ...environment(), ...addedEnv }
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, ...options })
  if (result.error) throw result.error
  if (result.status !== 0) process.exit(result.status ?? 1)
}

export const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export function pnpm(...args) {
  // npx runs pnpm from its cache, so pnpm itself need not be installed on the machine.
  run('npx', ['--yes', packageManager, ...args])
}

/**
 * Whether SQLite's library must be compiled. With Node-API 10, Node.js loads a library that has prebuilt binaries, and
 * never the library that would have to be compiled (docs/adr/0158).
 */
const needsBuiltSqlite = Number(process.versions.napi) < 10

/** Installs the packages when the lock file is newer than the last installation. */
export function install() {
  const marker = join(root, 'node_modules', '.modules.yaml')
  const lock = join(root, 'pnpm-lock.yaml')
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return
  pnpm('install', '--frozen-lockfile', '--prefer-offline', ...(needsBuiltSqlite ? [] : ['--ignore-scripts']))
}
