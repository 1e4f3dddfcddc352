import { type Operation, PERMISSIONS } from '@matchyard/core'
import type { Endpoint } from './endpoint'
import { isPlayerFacing } from './middleware/cors'

/** What answers under one path. */
export interface KnownPath {
  /** For `allow`: GET brings HEAD along, except where a stream would open. */
  readonly methods: readonly string[]
  readonly playerFacing: boolean
}

/**
 * Every operation has exactly one route and every route a row of the permission table: a service that breaks this does not
 * start.
 */
export function assertComplete(endpoints: readonly Endpoint[]): void {
  const seen = new Set<string>()
  for (const { operation, method, path } of endpoints) {
    if (!Object.hasOwn(PERMISSIONS, operation)) throw new Error(`${method} ${path}: no permission row "${operation}"`)
    if (seen.has(operation)) throw new Error(`${method} ${path}: operation ${operation} has a route already`)
    seen.add(operation)
  }
  const unused = (Object.keys(PERMISSIONS) as Operation[]).filter((operation) => !seen.has(operation))
  if (unused.length > 0) throw new Error(`no route for ${unused.join(', ')}`)
}

/** Looks a path up among the routes, for what no route took: a wrong method or a preflight. */
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

/** HEAD would hold a stream open for nothing. */
export const isStream = (operation: Operation): boolean =>
  operation === 'lobbies.events' || operation === 'servers.selfEvents' || operation === 'projects.events'

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)

/** As Hono writes a path: `/v1/lobbies/:lobby_id`. */
export const honoPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1')
