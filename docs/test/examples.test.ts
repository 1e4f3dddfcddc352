import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, DOCUMENTS, ROOT } from './documents'

const run = promisify(execFile)

let database: TestServer
beforeAll(async () => {
  database = await startServer()
})
afterAll(() => database.stop())

describe.each(Object.entries(DOCUMENTS))('the code of %s', (file, outputs) => {
  it('has a known output for every block', () => {
    expect(blocksOf(file)).toHaveLength(outputs.length)
  })

  it.each(outputs.map((output, index) => [index + 1, output] as const))(
    'block %i runs and prints %s',
    async (number, output) => {
      const code = blocksOf(file)[number - 1] ?? ''
      // Inside the workspace, so that packages are found as an embedder's project finds them.
      const folder = mkdtempSync(join(ROOT, 'docs', 'test', '.run-'))
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
