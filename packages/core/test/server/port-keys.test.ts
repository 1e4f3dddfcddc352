import { uniqueKey, uniqueKeysOf } from '@matchyard/core/ports'
import { expect, it } from 'vitest'

it('a port for both protocols collides with a port of each of them', () => {
  const keysOf = (protocol: string) =>
    uniqueKeysOf({
      kind: 'server',
      value: { status: 'running', networkPorts: [{ host: 'h', protocol, externalPort: 7_000 }] } as never,
    })
  const [tcp, udp] = [uniqueKey.port('h', 'tcp', 7_000), uniqueKey.port('h', 'udp', 7_000)]
  expect([keysOf('tcp'), keysOf('udp'), keysOf('tcp+udp')]).toEqual([[tcp], [udp], [tcp, udp]])
})
