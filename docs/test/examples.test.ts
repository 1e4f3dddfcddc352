import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Documents whose TypeScript blocks are whole programs, and what each block prints. */
const DOCUMENTS: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"name":"team_1".*"playerId":"ann".*"name":"team_2".*"playerId":"bob"/],
  'docs/embedding.md': [
    /the match of ann and bob began/,
    /the server of ann's lobby: null/,
    /201 waiting/,
    /lobby_updated in_queue/,
    /PLAN_LIMIT_EXCEEDED queues_enabled/,
  ],
  'docs/simulation.md': [
    /nobody waits in vain/,
    /seed 5 held for \d+ turns/,
    /seed 1 broke countersCount: /,
    /in_queue\nNOT_HOST\nINVALID_LOBBY_STATE/,
  ],
  'packages/build-store-fs/README.md': [/21 bytes, refused: /],
  'packages/core/README.md': [/a match of 2 teams/],
  'packages/http/README.md': [
    /200 401 application\/problem\+json/,
    /listening on \{ address: .*port: \d+/,
    /listening on http:.*:\d+/,
  ],
  'packages/node/README.md': [/^lob_\w+: the password is right\nat 2.* a die shows [1-6]/],
  'packages/orchestrator-docker/README.md': [/^docker runs zip and docker_image builds\n./],
  'packages/orchestrator-kit/README.md': [/free: true\nthe interpreter \/usr\/bin\/python3 of server is not there/],
  'packages/orchestrator-process/README.md': [/a game server would listen on 1 port; 0 run/],
  'packages/payments-manual/README.md': [/manual_acc_1 pays with visa\nthis installation takes the test card/],
  'packages/storage-memory/README.md': [/1 lobby in memory/],
  'packages/storage-postgres/README.md': [/a lobby of 1 player is in the database/],
  'packages/storage-sqlite/README.md': [/a lobby of 1 player is on the disk/],
  'packages/testkit/README.md': [/\d\d guarantees hold/],
}

let database: TestServer
beforeAll(async () => {
  database = await startServer()
})
afterAll(() => database.stop())

const blocksOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')

describe.each(Object.entries(DOCUMENTS))('the code of %s', (file, outputs) => {
  it('has a known output for every block', () => {
    expect(blocksOf(file)).toHaveLength(outputs.length)
  })

  it.each(outputs.map((output, index) => [index + 1, output] as const))(
    'block %i runs and prints %s',
    async (number, output) => {
      const code = blocksOf(file)[number - 1] ?? ''
      // Inside the workspace, so that packages are found as an embedder's project finds them.
      const folder = mkdtempSync(join(root, 'docs', 'test', '.run-'))
      try {
        const program = join(folder, 'block.mts')
        // An embedder's process goes on serving; the test has seen enough once something was printed.
        writeFileSync(program, `${code}\n;(await import('node:timers')).setTimeout(() => process.exit(0), 500)\n`)
        const args = ['--conditions=@matchyard/source', '--import', 'tsx', program]
        // Where a block keeps something, it does so beside itself.
        const env = { ...process.env, DATABASE_URL: database.url }
        const { stdout } = await run(process.execPath, args, { cwd: folder, env, timeout: 60_000 })
        expect(stdout).toMatch(output)
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      }
    },
  )
})
