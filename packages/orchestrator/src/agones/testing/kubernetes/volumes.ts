import type { Fields, KubeObject } from './objects'

/**
 * Returns the files in the volumes of a container, by path; undefined while a secret or a named key of a secret is
 * missing.
 */
export function mountedFiles(
  pod: KubeObject,
  secretOf: (name: string) => KubeObject | undefined,
): Map<string, string> | undefined {
  const files = new Map<string, string>()
  for (const { name, mountPath, subPath } of pod.spec.containers[0].volumeMounts ?? []) {
    const volume: Fields = pod.spec.volumes?.find((one: Fields) => one.name === name) ?? {}
    const content = contentOf(volume, pod, secretOf)
    if (content === undefined) return undefined
    for (const [path, text] of content) {
      if (subPath === undefined) files.set(`${mountPath}/${path}`, text)
      else if (subPath === path) files.set(mountPath, text)
    }
  }
  return files
}

/**
 * Returns the mounted files that change with the metadata of the pod while the pod runs. Files that are mounted with a
 * `subPath` never change.
 */
export function followingFiles(pod: KubeObject): Map<string, string> {
  const files = new Map<string, string>()
  for (const { name, mountPath, subPath } of pod.spec.containers[0].volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find((one: Fields) => one.name === name)
    if (volume?.downwardAPI === undefined || subPath !== undefined) continue
    for (const [path, text] of downward(volume, pod)) files.set(`${mountPath}/${path}`, text)
  }
  return files
}

function contentOf(
  volume: Fields,
  pod: KubeObject,
  secretOf: (name: string) => KubeObject | undefined,
): Map<string, string> | undefined {
  if (volume.downwardAPI !== undefined) return downward(volume, pod)
  if (volume.secret === undefined) return new Map()
  const secret = secretOf(volume.secret.secretName)
  if (secret === undefined) return undefined
  const { data = {} } = secret
  const items: Fields[] = volume.secret.items ?? Object.keys(data).map((key) => ({ key, path: key }))
  if (items.some(({ key }) => data[key] === undefined)) return undefined
  return new Map(items.map(({ key, path }) => [path, Buffer.from(data[key], 'base64').toString()]))
}

const downward = ({ downwardAPI: { items = [] } }: Fields, pod: KubeObject): Map<string, string> =>
  new Map(items.map(({ path, fieldRef }: Fields) => [path, fieldOf(pod, fieldRef.fieldPath) ?? '']))

const ENTRY = /^metadata\.(annotations|labels)\['([^']+)'\]$/
const PLAIN = /^metadata\.(name|namespace|uid)$/

/** Whether the test cluster supports the path of a pod field; Kubernetes supports more forms of paths. */
export const isFieldPath = (path: unknown): boolean =>
  typeof path === 'string' && (ENTRY.test(path) || PLAIN.test(path))

function fieldOf({ metadata }: KubeObject, path: string): string | undefined {
  const [, set, key = ''] = ENTRY.exec(path) ?? []
  if (set === 'annotations' || set === 'labels') return metadata[set]?.[key]
  const [, field] = PLAIN.exec(path) ?? []
  return field === undefined ? undefined : String(metadata[field as 'name' | 'namespace' | 'uid'])
}
