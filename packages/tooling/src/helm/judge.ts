import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Manifest } from './render'

const run = promisify(execFile)
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const PATIENCE_MS = 240_000

/**
 * Returns the module that contains the schema of an object: for Kubernetes' own kinds, or for the kinds of the
 * Prometheus operator.
 */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const models = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models'
  return `${models}/${apiVersion}/${kind}`
}

/** Returns the schema error of an object; undefined when the object is valid. */
export async function schemaFault(object: Manifest): Promise<string | undefined> {
  const { [object.kind]: Model } = (await import(moduleOf(object))) as Record<
    string,
    new (
      of: object,
    ) => { validate(): void }
  >
  if (Model === undefined) throw new Error(`there is no schema of ${object.kind}`)
  try {
    new Model(object).validate()
    return undefined
  } catch (error) {
    return `${object.kind} ${object.metadata.name}: ${(error as Error).message}`
  }
}

/**
 * Returns compiler errors for fields that the kind of an object does not have. The TypeScript types refuse unknown
 * fields. The JSON schemas allow them, as an API server without strict mode does, so a misspelled field would have no
 * effect. All objects are checked together, because the compiler takes a second to start.
 */
export async function unknownFields(objects: readonly Manifest[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(PACKAGE, '.run-'))
  try {
    const lines = objects.flatMap((object, index) => [
      `import type { I${object.kind} as Kind${index} } from '${moduleOf(object)}'`,
      `export const object${index}: Kind${index} = ${JSON.stringify(object)}`,
    ])
    const file = join(folder, 'objects.ts')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
    const said = await run(process.execPath, [COMPILER, ...options, '--pretty', 'false', file], {
      timeout: PATIENCE_MS,
    }).then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    )
    return said.split('\n').filter((line) => line.includes('error TS'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
