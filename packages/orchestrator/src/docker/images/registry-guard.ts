import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** The registry of references that name none. */
export const DEFAULT_REGISTRY = 'docker.io'
/** Where that one really is. */
const DEFAULT_REGISTRY_HOST = 'registry-1.docker.io'

export interface RegistryPolicy {
  /** Registries that builds may come from, with their port where it is not the usual one; `*`: every public one. */
  readonly allowed: readonly string[]
  /** Registries of one's own: allowed, and at whatever address they are. */
  readonly trusted: readonly string[]
}

export type Lookup = (host: string) => Promise<readonly string[]>

const systemLookup: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Why images of a registry are not fetched, or undefined. What a developer registers makes this machine open a
 * connection: it must not be one into the operator's own network (server-side request forgery).
 */
export async function registryFault(
  registry: string,
  { allowed, trusted }: RegistryPolicy,
  find: Lookup = systemLookup,
): Promise<string | undefined> {
  const name = registry.toLowerCase()
  const listed = (list: readonly string[]) => list.some((one) => one.toLowerCase() === name)
  if (listed(trusted)) return undefined
  if (!listed(allowed) && !allowed.includes('*')) {
    const known = [...allowed, ...trusted]
    const use = known.length === 0 ? 'it uses none' : `it uses ${known.join(', ')}`
    return `this installation does not use the registry ${registry}; ${use}`
  }
  const host = hostOf(name === DEFAULT_REGISTRY ? DEFAULT_REGISTRY_HOST : name)
  const addresses = ipaddr.isValid(host) ? [host] : await find(host).catch(() => [])
  if (addresses.length === 0) return `the registry ${registry} is not known to the name service`
  if (addresses.every(isPublic)) return undefined
  return `the registry ${registry} is at an address that is not public`
}

const hostOf = (registry: string): string => registry.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')

/** Global unicast, seen through the ways to write an IPv4 address as an IPv6 one. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address.split('%', 1)[0] ?? '').range() === 'unicast'
}
