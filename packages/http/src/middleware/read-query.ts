import type { Exchange } from '../exchange/exchange'

const NAMED = /^([a-z_]+)\[(.+)\]$/

/**
 * Returns the parameters of the query. Parameters of the form `name[key]=value` become one object under `name`. If a
 * parameter occurs several times, its first value counts.
 */
export function readQuery(exchange: Exchange): Record<string, unknown> {
  const plain: [string, unknown][] = []
  const named = new Map<string, [string, string][]>()
  for (const [parameter, value] of Object.entries(exchange.query())) {
    const [, name, key] = NAMED.exec(parameter) ?? []
    if (name === undefined || key === undefined) plain.push([parameter, value])
    else {
      const entries = named.get(name) ?? []
      named.set(name, entries)
      entries.push([key, value])
    }
  }
  const objects = [...named].map(([name, entries]) => [name, Object.fromEntries(entries)] as const)
  return Object.fromEntries([...plain, ...objects])
}
