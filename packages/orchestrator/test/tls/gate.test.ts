import { expect, it } from 'vitest'
import {
  Gate,
  HANDSHAKES,
  HANDSHAKES_OF_ADDRESS,
  MOST,
  MOST_OF_ADDRESS,
  networkOf,
} from '../../supervisor/front/gate.mjs'

it('counts the IPv4 addresses and the /64 networks of IPv6', () => {
  expect(['::ffff:10.0.0.1', '10.0.0.1'].map(networkOf)).toEqual(['10.0.0.1', '10.0.0.1'])
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::9'))
  expect(networkOf('2001:db8:1:2::9')).not.toBe(networkOf('2001:db8:1:3::9'))
  expect(['::1', 'fe80::1%eth0'].map(networkOf)).toEqual(['0:0:0:0', 'fe80:0:0:0'])
})

it('leaves handshakes to other addresses when one address has too many, and takes the address again when they end', () => {
  const gate = new Gate()
  const shaking = Array.from({ length: HANDSHAKES_OF_ADDRESS }, () => gate.enter('10.0.0.1'))
  expect(shaking).not.toContain(undefined)
  expect(gate.enter('10.0.0.1')).toBeUndefined()
  expect(gate.enter('10.0.0.2')).toBeDefined()
  shaking[0]?.shakeHands()
  expect(gate.enter('10.0.0.1')).toBeDefined()
  expect(gate.enter('10.0.0.1')).toBeUndefined()
  shaking[1]?.leave()
  expect(gate.enter('10.0.0.1')).toBeDefined()
})

it('leaves connections to other addresses, and refuses all beyond the limit of the port', () => {
  const gate = new Gate()
  const connect = (address: string) => {
    const place = gate.enter(address)
    place?.shakeHands()
    return place
  }
  const mine = Array.from({ length: MOST_OF_ADDRESS }, () => connect('10.0.0.1'))
  expect(connect('10.0.0.1')).toBeUndefined()
  const others = Array.from({ length: MOST - MOST_OF_ADDRESS }, (_, n) => connect(`10.0.1.${n % 200}`))
  expect(others).not.toContain(undefined)
  expect(connect('10.0.0.3')).toBeUndefined()
  for (const place of mine) place?.leave()
  expect(connect('10.0.0.3')).toBeDefined()
})

it('drops the oldest unfinished handshake when the port has too many, so that strangers cannot keep players out', () => {
  const gate = new Gate()
  const dropped: number[] = []
  const enter = (n: number) => gate.enter(`10.0.${n % 8}.1`, () => dropped.push(n))
  const places = Array.from({ length: HANDSHAKES }, (_, n) => enter(n))
  expect(dropped).toEqual([])
  places[0]?.shakeHands()
  expect(gate.enter('10.9.0.1')).toBeDefined()
  expect(dropped).toEqual([])
  expect(gate.enter('10.9.0.2')).toBeDefined()
  expect(dropped).toEqual([1])
  // The connection of the dropped place is closed later, and must not count twice.
  places[1]?.leave()
  expect(gate.enter('10.9.0.3')).toBeDefined()
  expect(dropped).toEqual([1, 2])
})
