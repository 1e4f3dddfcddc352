import { isIP } from 'node:net'
import { type AddressPolicy, AddressRefused } from '@matchyard/core/ports'
import { refusalOf } from './judge-address'

/** Largest length of a URL in characters. */
export const MAX_URL_LENGTH = 2_048

/**
 * Lowest port that a URL may have, apart from 80 and 443. Lower ports belong to other services of the machine, which an
 * HTTP request could harm.
 */
const FIRST_FREE_PORT = 1_024
const WEB_PORTS = new Set([80, 443])

export interface JudgedUrl {
  readonly url: URL
  readonly port: number
  /** Host without the square brackets of an IPv6 address. */
  readonly host: string
  /** Whether the host is an IP address; then `judgeUrl` has checked it already. */
  readonly isAddress: boolean
}

/** Checks a URL without resolving its name, and returns its parts. Throws AddressRefused. */
export function judgeUrl(text: string, policy: AddressPolicy): JudgedUrl {
  if (text.length > MAX_URL_LENGTH) throw new AddressRefused(`it has more than ${MAX_URL_LENGTH} characters`)
  if (!URL.canParse(text)) throw new AddressRefused('it is not an absolute URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new AddressRefused('it is neither https nor http')
  if (policy.httpsOnly && url.protocol !== 'https:') throw new AddressRefused('only https is called here')
  if (url.username !== '' || url.password !== '') throw new AddressRefused('it carries a user name or a password')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (port < FIRST_FREE_PORT && !WEB_PORTS.has(port)) throw new AddressRefused(`port ${port} is not one of the web`)
  // The URL parser has converted decimal, octal and hexadecimal spellings of an IPv4 address to four decimal numbers.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(host) !== 0
  const refusal = isAddress ? refusalOf(host, policy) : nameRefusalOf(host, policy)
  if (refusal !== undefined) throw new AddressRefused(`${host} is ${refusal}`)
  return { url, port, host, isAddress }
}

/**
 * Returns the reason why the service may not call a name, before the name is resolved; undefined when it may. Name
 * servers seldom know the machine's own names, so without this check such a name would count as a name that does not
 * exist yet.
 */
function nameRefusalOf(host: string, { allowLoopback, allowPrivate }: AddressPolicy): string | undefined {
  if (allowLoopback || allowPrivate) return undefined
  const name = host.replace(/\.$/, '')
  // RFC 6761, section 6.3, reserves these names for the machine itself.
  if (name === 'localhost' || name.endsWith('.localhost')) return 'the machine itself, a loopback address'
  return name.includes('.') ? undefined : 'no public name: it has no dot'
}
