import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, DOCUMENTS, programsOf, ROOT } from './documents'

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
      const { code, language } = programsOf(file)[number - 1] ?? { code: '', language: 'ts' }
      // The folder is inside the workspace, so that packages are found as in an embedder's project.
      const folder = mkdtempSync(join(ROOT, 'docs', 'test', '.run-'))
      try {
        // JavaScript runs without a compiler, so that a type annotation in it is an error.
        const program = join(folder, language === 'ts' ? 'block.mts' : 'block.mjs')
        // A guide's program must end by itself. A README's program may be a running service, so it is ended 500 ms
        // after its last line.
        const end = file.startsWith('docs/')
          ? ''
          : `;(await import('node:timers')).setTimeout(() => process.exit(0), 500)`
        writeFileSync(program, `${code}\n${end}\n`)
        // JavaScript runs on plain Node.js with the built packages, as after an installation. TypeScript runs from the
        // sources.
        const loader = language === 'js' ? [] : ['--conditions=@matchyard/source', '--import', 'tsx']
        const args = [...loader, program]
        // Files that a block writes are in the working directory, which is removed at the end.
        const env = { ...process.env, DATABASE_URL: database.url }
        const { stdout } = await run(process.execPath, args, { cwd: folder, env, timeout: 60_000 })
        expect(stdout).toMatch(output)
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      }
    },
  )
})
