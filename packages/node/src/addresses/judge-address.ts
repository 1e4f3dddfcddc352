import { BlockList, isIP } from 'node:net'
import type { AddressPolicy } from '@matchyard/core/ports'

type Kind = 'loopback' | 'private' | 'link-local' | 'metadata' | 'multicast' | 'unspecified' | 'reserved'

/**
 * Special-purpose networks of IPv4 (IANA's registries). Of networks that overlap, the smaller network comes first,
 * because the first network that contains an address decides the kind of the address.
 */
const V4: readonly (readonly [Kind, string, number])[] = [
  // Addresses at which clouds provide the credentials of a machine.
  ['metadata', '169.254.169.254', 32],
  ['metadata', '169.254.170.2', 32],
  ['metadata', '169.254.170.23', 32],
  ['metadata', '100.100.100.200', 32],
  ['metadata', '168.63.129.16', 32],
  ['metadata', '192.0.0.192', 32],
  ['loopback', '127.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['private', '172.16.0.0', 12],
  ['private', '192.168.0.0', 16],
  ['private', '100.64.0.0', 10],
  ['link-local', '169.254.0.0', 16],
  // On most systems, a connection to such an address reaches the machine that connects.
  ['unspecified', '0.0.0.0', 8],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '192.0.0.0', 24],
  ['reserved', '192.0.2.0', 24],
  ['reserved', '192.88.99.0', 24],
  ['reserved', '198.18.0.0', 15],
  ['reserved', '198.51.100.0', 24],
  ['reserved', '203.0.113.0', 24],
  ['reserved', '240.0.0.0', 4],
]

const V6: readonly (readonly [Kind, string, number])[] = [
  ['metadata', 'fd00:ec2::254', 128],
  ['metadata', 'fd20:ce::254', 128],
  ['loopback', '::1', 128],
  ['unspecified', '::', 128],
  ['private', 'fc00::', 7],
  ['link-local', 'fe80::', 10],
  ['private', 'fec0::', 10],
  ['multicast', 'ff00::', 8],
  // Tunnels: 6to4, Teredo, local NAT64. A connection to them reaches an IPv4 address that was not checked.
  ['reserved', '2002::', 16],
  ['reserved', '64:ff9b:1::', 48],
  ['reserved', '2001::', 23],
  ['reserved', '2001:db8::', 32],
  ['reserved', '3fff::', 20],
]

const listed = (family: 'ipv4' | 'ipv6', rows: readonly (readonly [Kind, string, number])[]) =>
  rows.map(([kind, net, prefix]) => {
    const list = new BlockList()
    list.addSubnet(net, prefix, family)
    return { kind, holds: (address: string) => list.check(address, family) }
  })

const LISTS = { 4: listed('ipv4', V4), 6: listed('ipv6', V6) }

/** The IPv6 addresses that are routed publicly. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

/**
 * IPv6 addresses (NAT64) whose last 32 bits are the IPv4 address that a connection really reaches. IPv4-mapped
 * addresses are found separately.
 */
const CARRIES_V4 = new BlockList()
CARRIES_V4.addSubnet('64:ff9b::', 96, 'ipv6')

/** Returns the kind of an address; undefined for a public address. `address` is an IP address, never a name. */
function kindOf(address: string): Kind | undefined {
  const family = isIP(address)
  if (family === 4) return LISTS[4].find(({ holds }) => holds(address))?.kind
  if (family !== 6) return 'reserved'
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped || CARRIES_V4.check(address, 'ipv6')) return kindOf(lastV4Of(groups))
  return LISTS[6].find(({ holds }) => holds(address))?.kind ?? (GLOBAL.check(address, 'ipv6') ? undefined : 'reserved')
}

/** Returns the eight groups of an IPv6 address. The URL parser converts every spelling of an address to one form. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return parse(head)
  const [left, right] = [parse(head), parse(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function lastV4Of(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns the reason why the service may not call an IP address, as the end of a sentence; undefined when it may. */
export function refusalOf(address: string, { allowLoopback, allowPrivate }: AddressPolicy): string | undefined {
  const kind = kindOf(address)
  if (kind === undefined) return undefined
  if (kind === 'loopback' && (allowLoopback || allowPrivate)) return undefined
  if ((kind === 'private' || kind === 'link-local') && allowPrivate) return undefined
  return `${kind === 'unspecified' ? 'an' : 'a'} ${kind} address`
}
