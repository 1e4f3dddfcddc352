import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '@matchyard/storage-postgres/testing'
import { build } from 'esbuild'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { skipWithout } from '../src/needs'
import { temporaryFolder } from '../src/temporary-folder'

/** A program of a studio: a match of two players, then an account with a password. */
const program = (storage: string, options: string) => `
import { createMatchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { ${storage} } from '@matchyard/storage-${storage.replace('Storage', '')}'

const platform = nodePlatform({ secret: 'thirty-two characters of secret!' })
const matchyard = createMatchyard({ storage: ${storage}(${options}), ...platform })
await matchyard.start()
const game = matchyard.project((await matchyard.projects.ensure({ name: 'My game' })).id)
await game.queues.ensure({ queueId: 'duel', name: 'Duel', matchmaking: { teams: 2, playersPerTeam: 1 } })
const found = new Promise((resolve) => matchyard.events.on('match_found', resolve))
for (const playerId of ['ann', 'bob']) {
  const lobby = await game.lobbies.create({ playerId, queueId: 'duel' })
  await game.lobbies.enqueue({ lobbyId: lobby.id, playerId })
}
console.log((await found).match.teams.length, 'teams')
await platform.passwords.hash('a long enough password').catch((error) => console.log(error.message))
await matchyard.stop()
`

/** Folder with the native packages of SQLite; the version of Node-API decides which one a program loads. */
const NATIVE = fileURLToPath(new URL('../../storage-sqlite/node_modules', import.meta.url))

/** esbuild makes a module of the driver of PostgreSQL, which calls `require` for modules of Node. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)"

/** Bundles a program into one file in an empty folder. Returns the file, and the native parts that the file contains. */
async function bundle(code: string) {
  const outfile = join(await temporaryFolder(), 'program.mjs')
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, metafile: true, logLevel: 'silent' },
    conditions: ['@matchyard/source'],
    external: ['better-sqlite3'],
    banner: { js: REQUIRE },
  })
  return { outfile, native: Object.keys(metafile.inputs).filter((input) => /argon2\/|sqlite3\/|\.node$/.test(input)) }
}

/** Runs a file by a command, and returns what the command prints. */
function outputOf([program = '', ...args]: readonly string[], file: string, env: NodeJS.ProcessEnv = {}): string {
  // A package manager's command names the packages of the workspace in NODE_PATH.
  const { NODE_PATH, ...outer } = process.env
  const run = spawnSync(program, [...args, file], { encoding: 'utf8', env: { ...outer, ...env } })
  return run.stdout + run.stderr
}

const DONE = /^2 teams\n[^\n]*@node-rs\/argon2[^\n]*\n$/
const RUNTIMES = [
  { name: 'Node', command: [process.execPath] },
  { name: 'Deno', command: ['deno', 'run', '--allow-all'] },
  { name: 'Bun', command: ['bun', 'run', '--no-install'] },
] as const

describe.each(RUNTIMES)('on $name', ({ name, command }) => {
  beforeEach((context) => {
    const { error } = spawnSync(command[0], ['--version'])
    if (error !== undefined && name !== 'Node') skipWithout(context, name, 'it is not on the path')
  })

  test('a program with the storage in memory is one file without native parts, until it hashes a password', async () => {
    const { outfile, native } = await bundle(program('memoryStorage', ''))
    expect(native).toEqual([])
    expect(outputOf(command, outfile)).toMatch(DONE)
  })

  test('so is a program with the storage in PostgreSQL', async () => {
    const server = await startServer()
    onTestFinished(() => server.stop())
    const { outfile, native } = await bundle(program('postgresStorage', '{ url: process.env.DATABASE_URL }'))
    expect(native).toEqual([])
    expect(outputOf(command, outfile, { DATABASE_URL: server.url })).toMatch(DONE)
  })

  test('a program with the storage in SQLite needs better-sqlite3 beside it', async () => {
    const { outfile } = await bundle(program('sqliteStorage', '{ path: process.env.FILE }'))
    const folder = dirname(outfile)
    mkdirSync(join(folder, 'node_modules'))
    for (const name of ['better-sqlite3', 'better-sqlite3-napi']) {
      symlinkSync(realpathSync(join(NATIVE, name)), join(folder, 'node_modules', name))
    }
    expect(outputOf(command, outfile, { FILE: join(folder, 'game.db') })).toMatch(DONE)
  })
})
