import type { KubeCall } from './connection'
import { isRefused, Unreachable } from './errors'
import { PODS, type ResourcePath } from './resources'
import { asRead, type KubeItem, type KubeList } from './shapes'

export interface Listed<T extends KubeItem> {
  readonly items: T[]
  readonly version: string
}

/** What a list is asked of. */
interface Asked {
  readonly server: string
  path(resource: ResourcePath, name: undefined, query: Readonly<Record<string, string>>): string
  ask<T>(call: KubeCall): Promise<T>
}

/** Objects of one answer. */
const PAGE = 500
/** `connectionOf` reads no larger answer. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2
/** Of one object together (Kubernetes, `ObjectMeta.annotations`). One of a pod is its configuration, in which players have a say. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024
/** What one byte of them may become on its way: `<` is written as `\u003c`. */
const ESCAPED = 6
/** All else of a pod: what it is made of, how it is, and who manages which of its fields. */
const REST_BYTES = 256 * 1024
/** As many as fit an answer when each is as large as it can be, 36: one page that is too large, and nothing would ever be listed again. */
const PODS_PAGE = Math.floor(MAX_ANSWER_BYTES / (ESCAPED * MAX_ANNOTATIONS_BYTES + REST_BYTES))
/** By what lists are asked for without what their objects hold; whole, where the interface cannot do that. */
export const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
/** A list that grows too old while it is read is begun again so often. */
const LIST_TRIES = 3

/** All that a selector takes, page by page, and the version that this was read at. `accept`: as what; left out, whole. */
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
      // The version that its pages are of was forgotten between two of them: what was read so far is of no use.
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
  // Page by page: what nobody reads is not kept until the last one.
  return { metadata, items: (items ?? []).map((one) => asRead(one)) }
}
