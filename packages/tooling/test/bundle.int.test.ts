import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startServer } from '@matchyard/storage-postgres/testing'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
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

/** esbuild makes a module of the driver of PostgreSQL, which calls \`require\` for modules of Node. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)"

/** Bundles a program into one file in an empty folder, and runs it there. */
async function runBundle(code: string, env: NodeJS.ProcessEnv = {}) {
  const outfile = join(await temporaryFolder(), 'program.mjs')
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, metafile: true, logLevel: 'silent' },
    conditions: ['@matchyard/source'],
    banner: { js: REQUIRE },
  })
  const native = Object.keys(metafile.inputs).filter((input) => /argon2\/|better-sqlite3|\.node$/.test(input))
  // A package manager's command names the packages of the workspace in NODE_PATH.
  const { NODE_PATH, ...outer } = process.env
  const run = spawnSync(process.execPath, [outfile], { encoding: 'utf8', env: { ...outer, ...env } })
  return { native, output: run.stdout + run.stderr }
}

const DONE = /^2 teams\nthe package @node-rs\/argon2, [^\n]*: run npm install @node-rs\/argon2 there\n$/

test('a program with the storage in memory is one file without native parts, until it hashes a password', async () => {
  expect(await runBundle(program('memoryStorage', ''))).toEqual({ native: [], output: expect.stringMatching(DONE) })
})

test('so is a program with the storage in PostgreSQL', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const code = program('postgresStorage', '{ url: process.env.DATABASE_URL }')
  expect(await runBundle(code, { DATABASE_URL: server.url })).toEqual({
    native: [],
    output: expect.stringMatching(DONE),
  })
})
