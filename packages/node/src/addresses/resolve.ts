import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { type AddressPolicy, AddressRefused, FetchFailed } from '@matchyard/core/ports'
import { refusalOf } from './judge-address'

/** Address of a name. */
export interface ResolvedAddress {
  /** IPv4 or IPv6 address, as text. */
  readonly address: string
  /** Version of the Internet Protocol. */
  readonly family: 4 | 6
}

/** Returns all addresses of a name; empty when the name has no address. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

/**
 * Resolves names in the same way as the machine: with its hosts file, search domains and mDNS. Each lookup occupies a
 * thread of libuv's pool, so a few slow lookups at the same time delay file reads.
 */
export const resolveBySystem: Resolve = async (hostname) =>
  (await dns.lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))

/**
 * Returns a function that resolves names with the machine's name servers. This needs no thread, so a name server that
 * does not answer does not delay other work.
 */
export function resolveByDns(resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })): Resolve {
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const of = (answer: typeof four, family: 4 | 6) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
    return [...of(four, 4), ...of(six, 6)]
  }
}

/**
 * Returns the addresses of a name, after checking that the service may call each of them. Throws AddressRefused when it
 * may not, and FetchFailed when the name has no address.
 */
export async function judgedAddresses(
  resolve: Resolve,
  hostname: string,
  policy: AddressPolicy,
): Promise<readonly ResolvedAddress[]> {
  const found = await addressesOf(resolve, hostname)
  const addresses = found.filter(({ address }) => isIP(address) !== 0)
  if (addresses.length === 0) throw new FetchFailed('dns', `${hostname} has no address`)
  for (const { address } of addresses) {
    const refusal = refusalOf(address, policy)
    // The message does not contain the address. Otherwise customers could learn addresses of the operator's machines
    // from their webhooks.
    if (refusal !== undefined) throw new AddressRefused(`${hostname} resolves to ${refusal}`)
  }
  return addresses
}

async function addressesOf(resolve: Resolve, hostname: string): Promise<readonly ResolvedAddress[]> {
  try {
    return await resolve(hostname)
  } catch {
    return []
  }
}
