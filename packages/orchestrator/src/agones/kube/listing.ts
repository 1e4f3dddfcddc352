import type { KubeCall } from './connection'
import { isRefused, Unreachable } from './errors'
import { PODS, type ResourcePath } from './resources'
import { asRead, type KubeItem, type KubeList } from './shapes'

export interface Listed<T extends KubeItem> {
  readonly items: T[]
  readonly version: string
}

/** The part of the client's interface that the lists need. */
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
/** Maximum number of bytes that one byte of an annotation takes in an answer: `<` is written as `\u003c`. */
const ESCAPED = 6
/** Bytes that are assumed for the rest of a pod object: its spec, its status and its managed fields. */
const REST_BYTES = 256 * 1024
/**
 * Number of pods in one page: 36 pods fit into an answer when each pod has the maximum size. If a page were too large
 * for an answer, every list would fail.
 */
const PODS_PAGE = Math.floor(MAX_ANSWER_BYTES / (ESCAPED * MAX_ANNOTATIONS_BYTES + REST_BYTES))
/**
 * Content type of a list that contains only the metadata of its objects. An API that does not support this type returns
 * whole objects.
 */
export const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
/** Number of tries for a list whose version expires while its pages are read. */
const LIST_TRIES = 3

/**
 * Returns all objects that match a selector, read page by page, and the version at which they were read. `accept` is
 * the content type of the answers; by default, the API returns whole objects.
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
      // The version of the list expired between two pages, so the pages that were read so far cannot be used.
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
  // Each page is reduced at once to the fields that the service reads, so that the other fields do not stay in memory
  // until the last page.
  return { metadata, items: (items ?? []).map((one) => asRead(one)) }
}
