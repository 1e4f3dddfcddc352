import type { KubeCall } from './connection'
import { isRefused, Unreachable } from './errors'
import { PODS, type ResourcePath } from './resources'
import { asRead, type KubeItem, type KubeList } from './shapes'

export interface Listed<T extends KubeItem> {
  readonly items: T[]
  readonly version: string
}

/** Part of the client that reads the lists. */
interface Asked {
  readonly server: string
  path(resource: ResourcePath, name: undefined, query: Readonly<Record<string, string>>): string
  ask<T>(call: KubeCall): Promise<T>
}

/** Maximum number of objects in one page. */
const PAGE = 500
/** Maximum bytes of an answer, the same as in `connectionOf`. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2
/**
 * Maximum bytes of all annotations of one object (Kubernetes, `ObjectMeta.annotations`). One annotation of a pod is its
 * configuration, which players can influence.
 */
const MAX_ANNOTATIONS_BYTES = 256 * 1024
/** Maximum bytes that one byte of an annotation takes in an answer: `<` is written as `\u003c`. */
const ESCAPED = 6
/** Bytes assumed for the rest of a pod: its spec, its status and its managed fields. */
const REST_BYTES = 256 * 1024
/**
 * Number of pods that fit into an answer when each has the maximum size: 36. With a page that is too large, every list
 * would fail.
 */
const PODS_PAGE = Math.floor(MAX_ANSWER_BYTES / (ESCAPED * MAX_ANNOTATIONS_BYTES + REST_BYTES))
/**
 * Content type of a list with only the metadata of its objects; an API that does not support it returns whole objects.
 */
export const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
/** Number of tries of a list whose version expires while it is read. */
const LIST_TRIES = 3

/**
 * Returns all objects that match a selector, read page by page, and the version at which they were read. `accept`:
 * content type of the answers; absent: whole objects.
 */
export async function listWhole<T extends KubeItem>(
  of: Asked,
  resource: ResourcePath,
  labelSelector: string,
  accept?: string,
): Promise<Listed<T>> {
  for (let tries = 1; ; tries++) {
    try {
      return await inPages<T>(of, resource, labelSelector, accept)
    } catch (error) {
      // The version of the list expired between two pages, so the pages read so far are of no use.
      if (!isRefused(error, 410)) throw error
      if (tries === LIST_TRIES) throw new Unreachable(`${of.server} forgets what it lists before it was read`)
    }
  }
}

async function inPages<T extends KubeItem>(
  of: Asked,
  resource: ResourcePath,
  labelSelector: string,
  accept: string | undefined,
): Promise<Listed<T>> {
  const limit = String(resource === PODS ? PODS_PAGE : PAGE)
  const items: T[] = []
  let next: string | undefined
  for (;;) {
    const more = next === undefined ? {} : { continue: next }
    const page = await pageOf<T>(of, resource, { labelSelector, limit, ...more }, accept)
    items.push(...page.items)
    next = page.metadata.continue
    if (next === undefined || next === '') return { items, version: page.metadata.resourceVersion }
  }
}

async function pageOf<T extends KubeItem>(
  of: Asked,
  resource: ResourcePath,
  query: Readonly<Record<string, string>>,
  accept: string | undefined,
): Promise<Pick<KubeList<T>, 'metadata'> & { readonly items: readonly T[] }> {
  const as = accept === undefined ? {} : { accept }
  const { metadata, items } = await of.ask<KubeList<T>>({
    ...as,
    method: 'GET',
    path: of.path(resource, undefined, query),
  })
  // Each page is reduced to the fields in use at once, so that the other fields are not kept in memory until the last
  // page.
  return { metadata, items: (items ?? []).map((one) => asRead(one)) }
}
