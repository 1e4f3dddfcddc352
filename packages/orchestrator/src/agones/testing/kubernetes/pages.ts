import { apiVersionOf, copyOf, type KubeObject, type Resource } from './objects'
import { selectorOf } from './selectors'
import { ApiStatus } from './status'
import type { ObjectStore } from './store'

/** Where a list goes on: the version that it is of, and the name that it begins behind. */
interface Place {
  readonly version: number
  readonly behind: string
}

/** Instead of a version: the rest is of the latest one, and what changed since the first page may show. */
const LATEST = -1

/** A part of a list, as of the version that its first part was read at. `most`: no more in one answer, whatever is asked for. */
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

/** A version that is kept no more is told with a token for the rest as it is now. */
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
