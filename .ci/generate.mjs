// `npm run generate`: writes every file that is made from sources, and names those that changed. The tests of each file fail where it
// is older than its sources. Needs the sources' condition and `tsx`, because the sources are TypeScript.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../packages/tooling/src/workspace.mjs'

/** Files of recorded answers. A process records each answer from a running service; the OpenAPI document shows them. */
const RECORDED = ['src/openapi/examples.ts', 'src/error-pages/examples.ts']

/** Writes the files that need no recorded answer; runs while the answers are recorded. */
async function fromSources() {
  const { ERROR_CATALOGUE } = await import('../packages/core/src/index.ts')
  const { statesPage } = await import('../packages/core/scripts/states-page.ts')
  const { conformancePage } = await import('../packages/tooling/src/conformance/page.ts')
  const engines = await import('../packages/tooling/src/engines/error-codes.ts')
  const { missingMetas } = await import('../packages/tooling/src/unity-metas.mjs')
  write('docs/states.md', statesPage())
  write('docs/conformance.md', conformancePage())
  write(engines.ERROR_CODES_FILE, engines.errorCodesFile(ERROR_CATALOGUE))
  write(engines.CPP_CLIENT_FILE, engines.withErrorCodes(read(engines.CPP_CLIENT_FILE), ERROR_CATALOGUE))
  for (const [path, text] of missingMetas()) write(path, text)
}

/**
 * Writes the OpenAPI document, the client's types and calls that are made from it, and the counts that include these
 * files.
 */
async function fromAnswers() {
  const { generatedDocs } = await import('../packages/http/src/generated-docs.ts')
  const { generatedFiles } = await import('../packages/client/generate/files.ts')
  const docs = generatedDocs()
  for (const [name, text] of Object.entries(docs)) write(`docs/${name}`, text)
  for (const [name, text] of generatedFiles(JSON.parse(docs['openapi.json'])))
    write(`packages/client/src/${name}`, text)

  const { withTables } = await import('../docs/measures/tables.ts')
  const { entryPoints, listOf } = await import('../docs/measures/exports.ts')
  write('docs/architecture.md', withTables(read('docs/architecture.md')))
  const { withNames } = await import('../packages/http/src/names-table.ts')
  write('docs/embedding.md', withNames(read('docs/embedding.md')))
  write('docs/measures/exports.txt', listOf(entryPoints()))
}

function record(path) {
  const args = ['--conditions=@matchyard/source', '--import', 'tsx', 'packages/http/record-examples.ts', path]
  const before = read(`packages/http/${path}`)
  return new Promise((resolve, reject) => {
    const recorder = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    recorder.on('error', reject)
    recorder.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`packages/http/${path} could not be recorded`))
      if (read(`packages/http/${path}`) !== before) console.log(`packages/http/${path}`)
      resolve()
    })
  })
}

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

function write(path, text) {
  if (read(path) === text) return
  writeFileSync(join(root, path), text)
  console.log(path)
}

await Promise.all([...RECORDED.map(record), fromSources()])
await fromAnswers()
