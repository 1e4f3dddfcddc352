import type { Exchange } from '../exchange/exchange'

/** Maximum characters of an address in a header. The longest real address has 45 characters and a zone. */
const MAX_ADDRESS_LENGTH = 64

type Sent = Pick<Exchange, 'header' | 'incoming'>

/**
 * Returns the address of the connection's peer. Behind `trustedProxies` proxies of the operator, returns the address
 * that the outermost of these proxies saw. Without such proxies, forwarded headers are never read (docs/http-api.md
 * §2).
 */
export function addressOf(exchange: Sent, trustedProxies: number): string {
  const peer = exchange.incoming?.socket?.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const hops = (exchange.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return withoutPort((hops.at(-trustedProxies) || peer).slice(0, MAX_ADDRESS_LENGTH))
}

/**
 * Returns an address without its port. Some proxies append the port of their client: `203.0.113.7:4711`,
 * `[2001:db8::1]:4711`.
 */
function withoutPort(hop: string): string {
  if (hop.startsWith('[')) return hop.slice(1, hop.includes(']') ? hop.indexOf(']') : undefined)
  const colon = hop.indexOf(':')
  return colon !== -1 && colon === hop.lastIndexOf(':') ? hop.slice(0, colon) : hop
}

/** Returns the IPv4 address or the IPv6 network that limits per address count for a call. */
export const clientAddress = (exchange: Sent, trustedProxies: number): string =>
  networkOf(addressOf(exchange, trustedProxies))

/**
 * Local and private networks. The operator's own proxy usually has such an address. Without `trustProxy`, that address
 * is seen for every caller behind the proxy.
 */
const PRIVATE =
  /^(?:unknown$|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab]|0:0:0:0::\/64$)/

/** Whether calls from this network probably come from one caller. A private network may have many callers. */
export const tellsCallersApart = (network: string): boolean => !PRIVATE.test(network)

/** Returns the same address as `clientAddress`; undefined for a private address, which does not identify a caller. */
export function tellingAddress(exchange: Exchange, trustedProxies: number): string | undefined {
  const address = clientAddress(exchange, trustedProxies)
  return tellsCallersApart(address) ? address : undefined
}

/**
 * Returns the network that counts as one address. For an IPv6 address this is its /64, because one subscriber has all
 * of a /64. For an IPv4 address, also one that is mapped into IPv6, it is the address itself.
 */
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

/**
 * Returns the site of a network that `clientAddress` returned. For IPv6 this is the /48, because one home or one rented
 * machine may have all of it. For IPv4 it is the address itself.
 */
export function siteOf(network: string): string {
  if (!network.endsWith('::/64')) return network
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}
