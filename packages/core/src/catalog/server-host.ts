import { SERVER_HOST_LENGTH } from './limits'

export const SERVER_HOST_RULE = `must be a host name, an IPv4 address or an IPv6 address, without a port and at most ${SERVER_HOST_LENGTH.max} characters long`

const MAX_LABEL = 63
const NAME_LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i
const ALL_DIGITS = /^[0-9]+$/
const OCTET = /^(?:0|[1-9][0-9]{0,2})$/
const HEX_GROUP = /^[0-9a-f]{1,4}$/i

/** Whether a text is a valid host: a DNS name, an IPv4 address, or an IPv6 address with or without brackets. */
export function isServerHost(text: string): boolean {
  const { min, max } = SERVER_HOST_LENGTH
  if (text.length < min || text.length > max) return false
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (inner !== text || text.includes(':')) return isIpv6(inner)
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.')
  // A name whose last label is a number counts as an IPv4 address (WHATWG URL, "ends in a number").
  if (ALL_DIGITS.test(labels.at(-1) ?? '')) return isIpv4(text)
  return labels.every((label) => label.length <= MAX_LABEL && NAME_LABEL.test(label))
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => OCTET.test(part) && Number(part) <= 255)
}

/**
 * Whether a text is an IPv6 address (RFC 4291 §2.2): eight groups of hexadecimal digits. `::` may replace one run of zero groups, and an
 * IPv4 address may stand for the last two groups.
 */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const all = groups.flat()
  const last = all.at(-1)
  const isMixed = last?.includes('.') ?? false
  if (isMixed && (last === undefined || !isIpv4(last) || text.endsWith('::'))) return false
  const count = all.length + (isMixed ? 1 : 0)
  const plain = isMixed ? all.slice(0, -1) : all
  if (!plain.every((group) => HEX_GROUP.test(group))) return false
  return halves.length === 2 ? count <= 7 : count === 8
}
