import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isServerHost } from '../../src/catalog/server-host'

describe('where a server is reached', () => {
  it.each([
    'localhost',
    'eu.studio.example',
    'eu-1.studio.example.',
    'game_1.internal',
    'xn--bcher-kva.example',
    '203.0.113.7',
    '2001:db8::1',
    '[2001:db8::1]',
    '::1',
    '::ffff:203.0.113.7',
    `${'a'.repeat(63)}.example`,
  ])('may be %s', (host) => {
    expect(isServerHost(host)).toBe(true)
  })

  it.each([
    'javascript:alert(1)',
    'javascript://x',
    'https://studio.example',
    'studio.example:27015',
    'studio.example/path',
    'a b',
    ' studio.example',
    'studio..example',
    '-studio.example',
    'studio-.example',
    'büro.example',
    'a\u0000b',
    'a"onclick="x',
    'user@host',
    '203.0.113.256',
    '203.0.113',
    '0x7f.1',
    '2001:db8:::1',
    '1:2:3:4:5:6:7:8:9',
    '[::1',
    '::1%eth0',
    `${'a'.repeat(64)}.example`,
    '',
    `${'a.'.repeat(127)}aa`,
  ])('may not be %s', (host) => {
    expect(isServerHost(host)).toBe(false)
  })

  it('is an IPv6 address wherever the platform reads one, but for its zone', () => {
    const group = fc.oneof(fc.constant(''), fc.constantFrom('0', '1', 'db8', 'ffff', '12345', 'g', '1.2.3.4'))
    fc.assert(
      fc.property(fc.array(group, { maxLength: 10 }), (groups) => {
        const text = groups.join(':')
        if (text.includes(':')) expect(isServerHost(text)).toBe(isIP(text) === 6)
      }),
    )
  })
})
