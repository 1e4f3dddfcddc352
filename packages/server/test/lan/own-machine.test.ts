import { expect, test } from 'vitest'
import { isFromThisMachine } from '../../src/dev/own-machine'

const from = (remoteAddress: string | undefined, localAddress: string, headers: Record<string, string> = {}) =>
  isFromThisMachine({ socket: { remoteAddress, localAddress }, headers: { host: '127.0.0.1:8080', ...headers } })

test.for([
  ['loopback', '127.0.0.1', '127.0.0.1'],
  ['another address of the loopback network', '127.8.9.1', '127.0.0.1'],
  ['loopback of IPv6', '::1', '::1'],
  ['loopback of IPv4 on a socket for IPv6', '::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ["the machine's own address", '192.168.1.20', '192.168.1.20'],
  ['the own address on a socket for IPv6', '::ffff:192.168.1.20', '::ffff:192.168.1.20'],
  ['the own address, spelled in two ways', '::FFFF:192.168.1.20', '192.168.1.20'],
  ['an own address of IPv6', 'fd00::20', 'fd00::20'],
  ['the own link-local address', 'fe80::1%eth0', 'fe80::1%eth0'],
] as const)('%s is this machine', ([, remote, local]) => {
  expect(from(remote, local)).toBe(true)
})

test.for([
  ['another machine', '192.168.1.21', '192.168.1.20'],
  ['another machine on a socket for IPv6', '::ffff:192.168.1.21', '::ffff:192.168.1.20'],
  ['another machine of IPv6', 'fd00::21', 'fd00::20'],
  ['the link-local address of another machine', 'fe80::2%eth0', 'fe80::1%eth0'],
  ['a link-local address that is equal on another link', 'fe80::1%eth1', 'fe80::1%eth0'],
  ['an address that begins like loopback', '127.0.0.1.example', '192.168.1.20'],
  ['an address that ends like loopback', '2001:db8::1', '::1'],
  ['a socket that has closed', undefined, '192.168.1.20'],
] as const)('%s is not', ([, remote, local]) => {
  expect(from(remote, local)).toBe(false)
})

test.for(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])(
  'a proxy on this machine that sends %s is not',
  (name) => {
    expect(from('127.0.0.1', '127.0.0.1', { [name]: '127.0.0.1' })).toBe(false)
  },
)

test.for(['localhost', 'localhost:8080', '192.168.1.20:8080', '[::1]:8080', '[fd00::20]'])(
  'host %s is taken',
  (host) => {
    expect(from('127.0.0.1', '127.0.0.1', { host })).toBe(true)
  },
)

test.for(['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', 'a@127.0.0.1', ''])(
  'a web page under the name %j is not this machine',
  (host) => {
    expect(from('127.0.0.1', '127.0.0.1', { host })).toBe(false)
  },
)
