import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

const run = promisify(execFile)

export const CHART = fileURLToPath(new URL('../../../../examples/self-hosting/helm', import.meta.url))
export const RELEASE = { name: 'arena', namespace: 'matchyard' } as const

/** Names of the values files with which the chart is tested. */
export const VALUES = readdirSync(join(CHART, 'ci')).sort()

export const helmIsHere = (): boolean => spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0

/** The fields of an object that tests read. The object's schema is used to check the other fields. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // biome-ignore lint/suspicious/noExplicitAny: objects of fourteen kinds, judged by their schemas before anything is read from them.
  readonly [field: string]: any
}

/** Returns all objects of the chart, rendered by the real Helm. Rejects with Helm's error message. */
export const render = (values: string, set: Readonly<Record<string, string>> = {}) =>
  renderText(readFileSync(join(CHART, 'ci', values), 'utf8'), set)

export async function renderText(
  values: string,
  set: Readonly<Record<string, string>> = {},
): Promise<readonly Manifest[]> {
  const rendering = run('helm', [
    ...['template', RELEASE.name, CHART, '--namespace', RELEASE.namespace, '--values', '-'],
    ...Object.entries(set).flatMap(([path, value]) => ['--set-json', `${path}=${value}`]),
  ])
  rendering.child.stdin?.end(values)
  const { stdout } = await rendering
  return parseAllDocuments(stdout).map((document) => {
    // Helm accepts some invalid YAML, for example a repeated key.
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })
}

export const lint = (values: string) => run('helm', ['lint', '--strict', CHART, '--values', join(CHART, 'ci', values)])

export function theOne(objects: readonly Manifest[], kind: string, isIt: (one: Manifest) => boolean = () => true) {
  const found = objects.filter((one) => one.kind === kind && isIt(one))
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} objects are a ${kind}`)
  return found[0]
}
