import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/
/** Prefix of an IPv4 address that a socket for IPv6 reports. */
const MAPPED = /^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/i
/** Host headers that no name of another site can have: `localhost`, or an address, with a port or without one. */
const UNNAMED_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
/** Headers by which a proxy says that it speaks for another caller. */
const FORWARDED = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-server'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'],
]

/** Properties of a request by which its origin is judged. */
interface Arrived {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localAddress'>
  readonly headers: IncomingMessage['headers']
}

/**
 * Whether a program on this machine sent a request, and neither a proxy nor a web page under a foreign name did. Only
 * the addresses of the socket count: another machine cannot complete a connection under an address of this machine,
 * because the answers to that address stay here. Headers can only make a request a foreign one. A page whose name was
 * pointed at this machine (DNS rebinding) sends its own name as `host`.
 */
export function isFromThisMachine({ socket, headers }: Arrived): boolean {
  const peer = plain(socket.remoteAddress)
  // A connection from this machine to its own address on the network has this address at both ends.
  const isOwn = LOOPBACK.test(peer) || (peer !== '' && peer === plain(socket.localAddress))
  return isOwn && UNNAMED_HOST.test(headers.host ?? '') && FORWARDED.every((name) => headers[name] === undefined)
}

const plain = (address: string | undefined): string => (address ?? '').toLowerCase().replace(MAPPED, '')
