import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

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
}

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
        const { stdout } = await run(process.execPath, args, { cwd: root, timeout: 30_000 })
        expect(stdout).toMatch(output)
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      }
    },
  )
})
