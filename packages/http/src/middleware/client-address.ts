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
  return (hops.at(-trustedProxies) || peer).slice(0, MAX_ADDRESS_LENGTH)
}

/** Whom limits per address count: an address, or its network. */
export const clientAddress = (exchange: Sent, trustedProxies: number): string =>
  networkOf(addressOf(exchange, trustedProxies))

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
