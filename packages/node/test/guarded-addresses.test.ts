import { AddressRefused } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../src/index'

const PUBLIC = { allowLoopback: false, allowPrivate: false, httpsOnly: false }
const REQUEST = { method: 'POST', headers: {}, timeoutMs: 1_000, maxResponseBytes: 100 } as const

/** Names and the addresses that they resolve to. No server is ever called at these addresses. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'private.example': ['10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
  'one-bad-of-two.example': ['93.184.216.34', '192.168.1.1'],
  'bad-in-ipv6.example': ['93.184.216.34', 'fd12::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nonsense.example': ['not an address', '127.0.0.1'],
}
const resolve = async (name: string) =>
  (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }))

const REFUSED: readonly (readonly [name: string, url: string])[] = [
  ['loopback', 'http://127.0.0.1/'],
  ['loopback, another of its addresses', 'http://127.255.255.254/'],
  ['loopback as one decimal number', 'http://2130706433/'],
  ['loopback in octal', 'http://0177.0.0.1/'],
  ['loopback in octal, one number', 'http://017700000001/'],
  ['loopback in hexadecimal', 'http://0x7f000001/'],
  ['loopback in hexadecimal, four numbers', 'http://0x7f.0x0.0x0.0x1/'],
  ['loopback, short', 'http://127.1/'],
  ['loopback, three numbers', 'http://127.0.1/'],
  ['loopback, percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['loopback in full-width digits', 'http://１２７.０.０.１/'],
  ['loopback with a final dot', 'http://127.0.0.1./'],
  ['unspecified', 'http://0.0.0.0/'],
  ['unspecified as 0', 'http://0/'],
  ['this network', 'http://0.1.2.3/'],
  ['private 10', 'http://10.1.2.3/'],
  ['private 172.16', 'http://172.16.0.1/'],
  ['private 172.31', 'http://172.31.255.255/'],
  ['private 192.168', 'http://192.168.0.1/'],
  ['private in decimal', 'http://3232235521/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['carrier-grade NAT, its end', 'http://100.127.255.255/'],
  ['link-local', 'http://169.254.1.1/'],
  ['metadata of most clouds', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata in decimal', 'http://2852039166/'],
  ['metadata in hexadecimal', 'http://0xa9fea9fe/'],
  ['metadata of containers', 'http://169.254.170.2/'],
  ['metadata of Alibaba', 'http://100.100.100.200/'],
  ['metadata of Azure', 'http://168.63.129.16/'],
  ['multicast', 'http://224.0.0.1/'],
  ['multicast, its end', 'http://239.255.255.255/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['reserved', 'http://240.0.0.1/'],
  ['protocol assignments', 'http://192.0.0.8/'],
  ['documentation', 'http://192.0.2.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 loopback, written out', 'http://[0:0:0:0:0:0:0:1]/'],
  ['IPv6 unspecified', 'http://[::]/'],
  ['IPv6-mapped loopback', 'http://[::ffff:127.0.0.1]/'],
  ['IPv6-mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]/'],
  ['IPv6-mapped metadata', 'http://[::ffff:169.254.169.254]/'],
  ['IPv6-mapped private', 'http://[::ffff:a00:1]/'],
  ['IPv4-compatible loopback', 'http://[::127.0.0.1]/'],
  ['NAT64 loopback', 'http://[64:ff9b::7f00:1]/'],
  ['NAT64 private', 'http://[64:ff9b::10.0.0.1]/'],
  ['NAT64 metadata', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['local NAT64', 'http://[64:ff9b:1::1]/'],
  ['6to4 of a private address', 'http://[2002:a00:1::1]/'],
  ['Teredo', 'http://[2001:0:1::1]/'],
  ['unique local', 'http://[fc00::1]/'],
  ['unique local fd', 'http://[fd12:3456::1]/'],
  ['metadata over IPv6', 'http://[fd00:ec2::254]/'],
  ['link-local IPv6', 'http://[fe80::1]/'],
  ['site-local IPv6', 'http://[fec0::1]/'],
  ['multicast IPv6', 'http://[ff02::1]/'],
  ['IPv6 documentation', 'http://[2001:db8::1]/'],
  ['IPv6 that nobody was given', 'http://[4000::1]/'],
  ['a name of loopback', 'http://loopback.example/'],
  ['a name of a private address', 'http://private.example/'],
  ['a name of metadata', 'http://metadata.example/'],
  ['a name with one bad address of two', 'http://one-bad-of-two.example/'],
  ['a name that is bad in IPv6 only', 'http://bad-in-ipv6.example/'],
  ['a name of a mapped address', 'http://mapped.example/'],
  ['localhost, which no name server knows', 'http://localhost/'],
  ['localhost with a port and a final dot', 'https://LOCALHOST.:8443/'],
  ['a name below localhost', 'http://any.localhost/'],
  ['a name of the hosts file', 'http://ip6-localhost/'],
  ['a name without a dot', 'http://intranet/'],
  ['a name beside whose nonsense stands loopback', 'http://nonsense.example/'],
  ['a user name', 'http://user@93.184.216.34/'],
  ['a password', 'http://:secret@93.184.216.34/'],
  ['a host that looks like another', 'http://93.184.216.34@127.0.0.1/'],
  ['the port of mail', 'http://93.184.216.34:25/'],
  ['the port of ssh', 'http://93.184.216.34:22/'],
  ['port 0', 'http://93.184.216.34:0/'],
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:6379/_FLUSHALL'],
  ['no URL', 'example.com/hook'],
  ['nothing', ''],
  ['too long', `http://93.184.216.34/${'a'.repeat(2_048)}`],
]

describe('an address that must not be called', () => {
  const guarded = guardedFetch({ resolve })

  it.each(REFUSED)('%s: is refused when it is judged and when it is called', async (_name, url) => {
    await expect(guarded.check(url, PUBLIC)).rejects.toBeInstanceOf(AddressRefused)
    await expect(guarded.fetch({ ...REQUEST, url }, PUBLIC)).rejects.toBeInstanceOf(AddressRefused)
  })

  it.each(['http://169.254.169.254/', 'http://0.0.0.0/', 'http://224.0.0.1/', 'http://[64:ff9b::a9fe:a9fe]/'])(
    '%s: is refused even where private ones are allowed',
    async (url) => {
      const policy = { ...PUBLIC, allowPrivate: true, allowLoopback: true }
      await expect(guarded.check(url, policy)).rejects.toBeInstanceOf(AddressRefused)
    },
  )

  it('tells nobody the addresses of the names of the network that it stands in', async () => {
    const refused = guarded.check('http://private.example/', PUBLIC)
    await expect(refused).rejects.toThrow('private.example resolves to a private address')
    await expect(refused).rejects.not.toThrow('10.0.0.7')
  })

  it('plain http, where only https is called', async () => {
    await expect(guarded.check('http://93.184.216.34/', { ...PUBLIC, httpsOnly: true })).rejects.toThrow('only https')
  })
})

describe('an address that may be called', () => {
  const guarded = guardedFetch({ resolve })

  it.each([
    ['a public one', 'https://93.184.216.34/hook', PUBLIC],
    ['a public one of IPv6', 'https://[2606:2800:220:1:248:1893:25c8:1946]/', PUBLIC],
    ['a public one behind NAT64', 'https://[64:ff9b::5db8:d822]/', PUBLIC],
    ['next to a private range', 'https://172.32.0.1/', PUBLIC],
    ['a port that is nobody’s', 'https://93.184.216.34:8443/', PUBLIC],
    ['a name without an address now', 'https://nobody.example/', PUBLIC],
    ['loopback where it is allowed', 'http://127.0.0.1:3000/', { ...PUBLIC, allowLoopback: true }],
    ['a mapped loopback where it is allowed', 'http://[::ffff:127.0.0.1]:3000/', { ...PUBLIC, allowLoopback: true }],
    ['a private one where they are allowed', 'http://10.0.0.7/', { ...PUBLIC, allowPrivate: true }],
    ['loopback where private ones are allowed', 'http://[::1]/', { ...PUBLIC, allowPrivate: true }],
    ['localhost where loopback is allowed', 'http://localhost:3000/', { ...PUBLIC, allowLoopback: true }],
    ['a name without a dot where private ones are allowed', 'http://backend:3000/', { ...PUBLIC, allowPrivate: true }],
  ])('%s: %s', async (_name, url, policy) => {
    await expect(guarded.check(url, policy)).resolves.toBeUndefined()
  })

  it('allows loopback alone: private ones are others', async () => {
    const policy = { ...PUBLIC, allowLoopback: true }
    await expect(guarded.check('http://10.0.0.7/', policy)).rejects.toThrow('private')
  })
})
