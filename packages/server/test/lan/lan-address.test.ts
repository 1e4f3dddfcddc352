import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { lanAddress } from '../../src/dev/lan-address'

const card = (...addresses: string[]): NetworkInterfaceInfo[] =>
  addresses.map((address) => {
    const common = {
      address,
      netmask: '',
      mac: '',
      internal: address === '::1' || address.startsWith('127.'),
      cidr: null,
    }
    return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' }
  })

const LOOPBACK = { lo: card('127.0.0.1', '::1') }

test('is the one private IPv4 address, whatever containers and tunnels have', () => {
  const interfaces = {
    ...LOOPBACK,
    docker0: card('172.17.0.1'),
    'br-5a3f00c1': card('172.18.0.1'),
    vethab12: card('10.0.9.1'),
    virbr0: card('192.168.122.1'),
    tailscale0: card('100.101.2.3'),
    wg0: card('10.8.0.2'),
    utun3: card('10.9.0.2'),
    bridge100: card('192.168.64.1'),
    'vEthernet (WSL)': card('172.30.0.1'),
    wlan0: card('fe80::1', 'fd00::20', '192.168.1.20'),
    eth0: card('203.0.113.7'),
  }
  expect(lanAddress(undefined, interfaces)).toBe('192.168.1.20')
})

test.for(['10.1.2.3', '172.16.0.9', '172.31.0.9', '192.168.0.9'])('%s is private', (address) => {
  expect(lanAddress(undefined, { ...LOOPBACK, en0: card(address) })).toBe(address)
})

test.for(['eth0', 'enp3s0', 'wlan0', 'en0', 'br0', 'Ethernet', 'Wi-Fi'])('%s is a real interface', (name) => {
  expect(lanAddress(undefined, { ...LOOPBACK, [name]: card('192.168.1.20') })).toBe('192.168.1.20')
})

test('is a self-given address on a cable without DHCP', () => {
  expect(lanAddress(undefined, { ...LOOPBACK, eth0: card('169.254.7.9') })).toBe('169.254.7.9')
})

test('several addresses are told, in the order of their interfaces, and one must be named', () => {
  const interfaces = { wlan0: card('192.168.1.20'), eth0: card('10.0.0.5'), ...LOOPBACK }
  const sentence =
    '--lan: this machine has several addresses: 10.0.0.5 (eth0), 192.168.1.20 (wlan0); name one, like --lan=10.0.0.5'
  expect(() => lanAddress(undefined, interfaces)).toThrow(sentence)
  expect(lanAddress('192.168.1.20', interfaces)).toBe('192.168.1.20')
})

test('a public address and the address of a tunnel are used only by name', () => {
  const interfaces = { ...LOOPBACK, eth0: card('203.0.113.7'), tailscale0: card('100.101.2.3') }
  const sentence =
    '--lan: this machine has no private IPv4 address on a local network (it has 203.0.113.7 (eth0), 100.101.2.3 (tailscale0)); name an address, like --lan=203.0.113.7'
  expect(() => lanAddress(undefined, interfaces)).toThrow(sentence)
  for (const address of ['203.0.113.7', '100.101.2.3']) expect(lanAddress(address, interfaces)).toBe(address)
})

test('a machine without a network is told to connect to one', () => {
  expect(() => lanAddress(undefined, LOOPBACK)).toThrow(
    '--lan: this machine has no private IPv4 address on a local network; connect it to a network',
  )
})

test('a thousand addresses make no endless sentence', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
  const told = () => lanAddress(undefined, { eth0: card(...many) })
  expect(told).toThrow(/^--lan: .{100,400}$/)
  expect(told).toThrow('992 more')
})

test('the named address must be one of this machine', () => {
  const interfaces = { ...LOOPBACK, eth0: card('10.0.0.5', 'fd00::20') }
  expect(() => lanAddress('10.0.0.6', interfaces)).toThrow(
    '--lan: this machine has no address 10.0.0.6; it has 10.0.0.5 (eth0), fd00::20 (eth0), 127.0.0.1 (lo), ::1 (lo)',
  )
  expect(lanAddress('fd00:0:0::20', interfaces)).toBe('fd00::20')
  for (const word of ['', 'me.local', '10.0.0', '10.0.0.5:8080', 'fe80::1%eth0']) {
    expect(() => lanAddress(word, interfaces)).toThrow('is not an address; give one like --lan=192.168.1.20')
  }
  expect(() => lanAddress('fe80::1', interfaces)).toThrow('is an IPv6 link-local address, which no URL can hold')
})
