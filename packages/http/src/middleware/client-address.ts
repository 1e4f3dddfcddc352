import type { Exchange } from '../exchange/exchange'

/** Characters of an address that is read from a header; the longest real one has 45, and a zone. */
const MAX_ADDRESS_LENGTH = 64

type Sent = Pick<Exchange, 'header' | 'incoming'>

/**
 * The peer of the connection, or, behind `trustedProxies` proxies of one's own, the address that the outermost of them saw. A forwarded
 * header that nobody vouches for is never read (docs/http-api.md §2).
 */
export function addressOf(exchange: Sent, trustedProxies: number): string {
  const peer = exchange.incoming?.socket?.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const hops = (exchange.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return withoutPort((hops.at(-trustedProxies) || peer).slice(0, MAX_ADDRESS_LENGTH))
}

/** Some proxies write the port of their caller beside its address: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  if (hop.startsWith('[')) return hop.slice(1, hop.includes(']') ? hop.indexOf(']') : undefined)
  const colon = hop.indexOf(':')
  return colon !== -1 && colon === hop.lastIndexOf(':') ? hop.slice(0, colon) : hop
}

/** Returns the address, or its network, that limits per address count. */
export const clientAddress = (exchange: Sent, trustedProxies: number): string =>
  networkOf(addressOf(exchange, trustedProxies))

/** Addresses of one machine and of private networks: a proxy of one's own has such a one, and all of its callers seem to. */
const PRIVATE =
  /^(?:unknown$|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab]|0:0:0:0::\/64$)/

/** Whether two callers of this network are probably one. */
export const tellsCallersApart = (network: string): boolean => !PRIVATE.test(network)

/** The address of a caller as `clientAddress` has it; undefined where it is a private one, which tells nobody from anybody. */
export function tellingAddress(exchange: Exchange, trustedProxies: number): string | undefined {
  const address = clientAddress(exchange, trustedProxies)
  return tellsCallersApart(address) ? address : undefined
}

/** One IPv6 subscriber holds a /64, so that is what counts; an IPv4 address counts by itself, also when mapped into IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The site of a network, as `clientAddress` has it: 48 bits of IPv6, which one home or rented machine may hold all of; of IPv4 the address. */
export function siteOf(network: string): string {
  if (!network.endsWith('::/64')) return network
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}
