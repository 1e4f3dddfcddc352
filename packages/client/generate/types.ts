import { bodyName, type Document, refusalsOf } from './document'
import { isForBackends } from './operations'
import { declared } from './schema'

const HEAD = `// Written by \`npm run generate\` from docs/openapi.json; not to be edited by hand.

/** Free-form JSON: yours, and carried through untouched. */
export type JsonObject = { readonly [key: string]: unknown }

/** One page of a list. */
export interface Page<T> {
  /** Total number of items. */
  readonly total: number
  /** Maximum number of items in a page. */
  readonly limit: number
  /** Number of items before this page. */
  readonly offset: number
  /** Whether another page follows. */
  readonly has_more: boolean
  /** Items of this page. */
  readonly data: readonly T[]
}
`

/** Schemas that only the service's own pages and accounts use. */
const LEFT_OUT = new Set(['Health', 'Start', 'ServerConfiguration', 'FeedChange', 'Session', 'Joined'])

/** Returns the whole file of types. */
export function typesOf(document: Document): string {
  const parts = [HEAD]
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!LEFT_OUT.has(name)) parts.push(declared(name, schema))
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema === undefined || !isForBackends(operation)) continue
    parts.push(declared(bodyName(operation.operationId), { description: operation.summary, ...schema }))
  }
  const codes = document.components.schemas.Problem?.properties?.code?.enum ?? []
  parts.push(
    `/** Every code of the service's error catalogue. */\nexport type ServiceErrorCode =\n${alternatives(codes)}`,
    `/** Error codes of the calls of a game server. A code never changes; codes may be added. */\nexport type GameServerErrorCode =\n${alternatives(gameServerCodes(document))}`,
  )
  return parts.join('\n')
}

const alternatives = (names: readonly unknown[]): string => names.map((name) => `  | '${name}'\n`).join('')

/** Returns the error codes of a game server's calls, and the code of the limits on every call. */
function gameServerCodes({ paths }: Document): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/servers/self') ? Object.values(methods) : [],
  )
  return [...new Set([...operations.flatMap(refusalsOf), 'RATE_LIMITED'])].sort()
}
