import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** The registry of image references that name no registry. */
export const DEFAULT_REGISTRY = 'docker.io'
/** The host name at which the default registry is reached. */
const DEFAULT_REGISTRY_HOST = 'registry-1.docker.io'

export interface RegistryPolicy {
  /** Registries that builds may use, with the port if it is not the default port. `*` allows all public registries. */
  readonly allowed: readonly string[]
  /** Registries of the operator, which are always allowed, even at private addresses. */
  readonly trusted: readonly string[]
}

export type Lookup = (host: string) => Promise<readonly string[]>

const systemLookup: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Returns the reason why images of a registry may not be pulled; undefined when they may be pulled. A developer chooses
 * the registry, and this machine connects to it. The check prevents connections to addresses in the operator's network
 * (server-side request forgery).
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

/** Whether an address is global unicast. IPv4 addresses inside IPv6 addresses are checked as IPv4. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address.split('%', 1)[0] ?? '').range() === 'unicast'
}
