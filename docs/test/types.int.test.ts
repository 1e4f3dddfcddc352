import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { DOCUMENTS, programsOf, ROOT } from './documents'

const run = promisify(execFile)
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc')
// Compiler options of a reader's own project, with the types that the packages ship.
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--types',
  'node',
]

/** Milliseconds for a compiler on a machine that may be busy with other tests. */
const PATIENCE_MS = 240_000

it('the programs of the guides are TypeScript as they stand, those in JavaScript too', {
  timeout: PATIENCE_MS,
}, async () => {
  const folder = mkdtempSync(join(ROOT, 'docs', 'test', '.run-'))
  try {
    const files = Object.keys(DOCUMENTS)
      .filter((file) => file.startsWith('docs/'))
      .flatMap((file) =>
        programsOf(file).map(({ code }, index) => {
          const program = join(folder, `${file.replace(/\W/g, '-')}-${index + 1}.mts`)
          writeFileSync(program, `${code}export {}\n`)
          return program
        }),
      )
    expect(files.length).toBeGreaterThan(10)
    const compiled = run(process.execPath, [COMPILER, ...OPTIONS, ...files], { cwd: folder, timeout: PATIENCE_MS })
    const faults = await compiled.then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    )
    expect(faults).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})
