import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Manifest, theOne } from './render'

const run = promisify(execFile)
const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))

/** The data that the kubelet passes to a container: arguments, variables, and files by mount path. */
export interface PodGround {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

interface Source {
  readonly secretRef?: { readonly name: string }
}
interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } }
}

/**
 * Returns the data that the kubelet passes to a workload's first container. `secrets` are the secrets that exist in
 * addition to the chart.
 */
export function groundOf(
  workload: Manifest,
  objects: readonly Manifest[],
  podName: string,
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): PodGround {
  const { containers, volumes = [] } = workload.spec.template.spec
  const [container] = containers
  const dataOf = (kind: 'Secret' | 'ConfigMap', name: string): Readonly<Record<string, string>> => {
    const known = kind === 'Secret' ? secrets[name] : undefined
    if (known !== undefined) return known
    const { stringData, data } = theOne(objects, kind, ({ metadata }) => metadata.name === name)
    return stringData ?? data
  }
  const environment: Record<string, string> = {}
  for (const { secretRef } of (container.envFrom ?? []) as Source[]) {
    if (secretRef !== undefined) Object.assign(environment, dataOf('Secret', secretRef.name))
  }
  for (const { name, value, valueFrom } of (container.env ?? []) as Variable[]) {
    const path = valueFrom?.fieldRef.fieldPath
    if (path !== undefined && path !== 'metadata.name') throw new Error(`nothing gives ${path}`)
    environment[name] = path === undefined ? (value ?? '') : podName
  }
  const files: Record<string, string> = {}
  for (const { name, mountPath } of (container.volumeMounts ?? []) as { name: string; mountPath: string }[]) {
    const volume = (volumes as Manifest[]).find((one) => (one as unknown as { name: string }).name === name)
    if (volume === undefined) throw new Error(`there is no volume ${name}`)
    const data = volume.configMap
      ? dataOf('ConfigMap', volume.configMap.name)
      : volume.secret
        ? dataOf('Secret', volume.secret.secretName)
        : {}
    for (const [key, content] of Object.entries(data)) files[`${mountPath}/${key}`] = content
  }
  return { args: container.args, environment, files }
}

/** Runs a container's program until it ends by itself. Returns its output; rejects when its exit code is not 0. */
export async function runOnce(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  })
  return stdout
}
