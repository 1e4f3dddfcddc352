import { apiVersionOf, copyOf, type KubeObject, type Resource } from './objects'
import { selectorOf } from './selectors'
import { ApiStatus } from './status'
import type { ObjectStore } from './store'

/** Position at which the next page of a list begins: the version of the list, and the last name before the page. */
interface Place {
  readonly version: number
  readonly behind: string
}

/**
 * Stands for the latest version in a position: the remaining pages may show changes that happened since the first page.
 */
const LATEST = -1

/**
 * Returns a page of a list, at the version of its first page. `most` is the maximum number of objects in a page, if the
 * caller asks for pages.
 */
export function pageOf(
  store: ObjectStore,
  resource: Resource,
  namespace: string,
  { query, most }: { readonly query: URLSearchParams; readonly most: number },
): object {
  const matches = selectorOf(query.get('labelSelector'))
  const { version: wanted, behind } = placeIn(query.get('continue'))
  const version = wanted === LATEST ? Number(store.resourceVersion) : wanted
  const items = thereAt(store, resource, namespace, { version, behind })
    .filter(({ metadata }) => matches(metadata.labels) && metadata.name > behind)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const limit = Number(query.get('limit') ?? '0')
  const page = limit > 0 ? items.slice(0, Math.min(limit, most)) : items
  const last = page.at(-1)?.metadata.name
  const next = page.length < items.length && last !== undefined ? { continue: tokenOf(version, last) } : {}
  return {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(version), ...next },
    items: page.map(copyOf),
  }
}

/**
 * Returns the objects at a version. For a version that was compacted, throws `Expired`; the error contains a token with
 * which the list continues at the latest version.
 */
function thereAt(store: ObjectStore, resource: Resource, namespace: string, { version, behind }: Place): KubeObject[] {
  try {
    return store.listAt(resource, namespace, version)
  } catch (error) {
    if (!(error instanceof ApiStatus && error.reason === 'Expired')) throw error
    const words = 'The provided continue parameter is too old to display a consistent list result.'
    throw new ApiStatus('Expired', words, {}, { continue: tokenOf(LATEST, behind) })
  }
}

const tokenOf = (version: number, behind: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${behind}\0` })).toString('base64url')

function placeIn(token: string | null): Place {
  if (token === null || token === '') return { version: LATEST, behind: '' }
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string }
    return { version: rv, behind: start.slice(0, -1) }
  } catch {
    throw new ApiStatus('BadRequest', 'continue key is not valid')
  }
}
