import type { Endpoint } from './endpoint'
import { isPlayerFacing } from './middleware/cors'
import { OPERATIONS, type Operation } from './operations'

/** Methods of the routes of one path. */
export interface KnownPath {
  /** Methods for the `allow` header. HEAD is listed with GET, except for streams. */
  readonly methods: readonly string[]
  readonly playerFacing: boolean
}

/**
 * Throws unless every operation has exactly one route and every route has a row in the permission table, so that an
 * incomplete service does not start.
 */
export function assertComplete(endpoints: readonly Endpoint[]): void {
  const seen = new Set<string>()
  for (const { operation, method, path } of endpoints) {
    if (!Object.hasOwn(OPERATIONS, operation)) throw new Error(`${method} ${path}: no permission row "${operation}"`)
    if (seen.has(operation)) throw new Error(`${method} ${path}: operation ${operation} has a route already`)
    seen.add(operation)
  }
  const unused = (Object.keys(OPERATIONS) as Operation[]).filter((operation) => !seen.has(operation))
  if (unused.length > 0) throw new Error(`no route for ${unused.join(', ')}`)
}

/**
 * Returns a function that looks up the methods of a path, for requests that match no route: a wrong method or a
 * preflight.
 */
export function pathFinder(endpoints: readonly Endpoint[]): (path: string) => KnownPath | undefined {
  const known = new Map<string, { pattern: RegExp; methods: string[]; playerFacing: boolean }>()
  for (const { method, path, operation } of endpoints) {
    const entry = known.get(path) ?? { pattern: patternOf(path), methods: [], playerFacing: false }
    entry.methods.push(...(method === 'get' && !isStream(operation) ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    entry.playerFacing ||= isPlayerFacing(operation)
    known.set(path, entry)
  }
  const entries = [...known.values()]
  return (path) => {
    const matching = entries.filter(({ pattern }) => pattern.test(path))
    if (matching.length === 0) return undefined
    return {
      methods: [...new Set(matching.flatMap(({ methods }) => methods))],
      playerFacing: matching.some(({ playerFacing }) => playerFacing),
    }
  }
}

/**
 * Whether an operation opens an event stream. A HEAD request to such an operation is refused, because it would keep a
 * stream open that has no reader.
 */
export const isStream = (operation: Operation): boolean => STREAMS.has(operation)

const STREAMS: ReadonlySet<Operation> = new Set([
  'lobbies.events',
  'servers.selfEvents',
  'projects.events',
  'machine.wanted',
])

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{[^{}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)

/** Returns the names of a path's parameters, in their order: `lobby_id` for `/v1/lobbies/{lobby_id}`. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)

/** Returns a path in Hono's notation: `/v1/lobbies/:lobby_id`. */
export const honoPath = (path: string): string => path.replace(/\{([^{}]+)\}/g, ':$1')

/** Finds the route of a method and a path, with the values of the path's parameters. */
export type RouteFinder<Value> = (
  method: string,
  path: string,
) => { readonly value: Value; readonly params: Record<string, string> } | undefined

interface Segment<Value> {
  readonly literal: Map<string, Segment<Value>>
  parameter: Segment<Value> | undefined
  /** Routes whose path ends at this segment, by method. */
  readonly routes: Map<string, { readonly value: Value; readonly names: readonly string[] }>
}

/**
 * Returns a function that finds routes by paths such as `/v1/lobbies/{lobby_id}/join`. It makes one step per segment of
 * the path, and prefers a literal segment to a parameter.
 */
export function routeFinder<Value>(
  routes: readonly { readonly method: string; readonly path: string; readonly value: Value }[],
): RouteFinder<Value> {
  const root = segment<Value>()
  for (const { method, path, value } of routes) {
    let at = root
    const names: string[] = []
    for (const part of path.split('/')) {
      const name = /^\{(.+)\}$/.exec(part)?.[1]
      if (name !== undefined) names.push(name)
      const next = (name === undefined ? at.literal.get(part) : at.parameter) ?? segment<Value>()
      if (name === undefined) at.literal.set(part, next)
      else at.parameter = next
      at = next
    }
    at.routes.set(method, { value, names })
  }
  return (method, path) => {
    const parts = path.split('/')
    const values: string[] = []
    const found = walk(root, parts, 0, method, values)
    if (found === undefined) return undefined
    const params: Record<string, string> = {}
    for (const [index, name] of found.names.entries()) params[name] = values[index] ?? ''
    return { value: found.value, params }
  }
}

const segment = <Value>(): Segment<Value> => ({ literal: new Map(), parameter: undefined, routes: new Map() })

/** Returns the route of a path. Adds the segments that match the path's parameters to `values`. */
function walk<Value>(
  { literal, parameter, routes }: Segment<Value>,
  parts: readonly string[],
  depth: number,
  method: string,
  values: string[],
): { readonly value: Value; readonly names: readonly string[] } | undefined {
  const part = parts[depth]
  if (part === undefined) return routes.get(method)
  const next = literal.get(part)
  const found = next && walk(next, parts, depth + 1, method, values)
  if (found !== undefined || parameter === undefined || part === '') return found
  values.push(part)
  const behind = walk(parameter, parts, depth + 1, method, values)
  if (behind === undefined) values.pop()
  return behind
}
