import { expect, test } from 'vitest'
import { isPublic, registryFault } from '../../src/docker/images/registry-guard'

const at =
  (...addresses: string[]) =>
  async () =>
    addresses

test.each([
  '127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '0.0.0.0', '224.0.0.1',
  '255.255.255.255', '::1', '::', 'fe80::1', 'fd00:ec2::254', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::a00:1',
  '2002:7f00:1::', 'fe80::1%eth0', 'not an address',
])('%s is no place for a registry', (address) => {
  expect(isPublic(address)).toBe(false)
}) // biome-ignore format: a list of addresses

test.each(['1.1.1.1', '140.82.121.33', '2606:4700::6810:84e5'])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true)
})

test('one private address among public ones is enough to refuse a name', async () => {
  const policy = { allowed: ['*'], trusted: [] }
  expect(await registryFault('evil.example', policy, at('1.1.1.1', '10.0.0.1'))).toMatch(/not public/)
  expect(await registryFault('good.example', policy, at('1.1.1.1', '2606:4700::1'))).toBeUndefined()
  expect(await registryFault('gone.example', policy, at())).toMatch(/not known to the name service/)
  expect(await registryFault('[::1]:5000', policy, at('1.1.1.1'))).toMatch(/not public/)
})

test('the list holds the registry with its port, in any case; trusted ones are not looked up', async () => {
  const policy = { allowed: ['ghcr.io', 'Registry.Example:5000'], trusted: ['10.0.0.5:5000'] }
  expect(await registryFault('GHCR.io', policy, at('140.82.121.33'))).toBeUndefined()
  expect(await registryFault('ghcr.io:8080', policy, at('140.82.121.33'))).toMatch(/does not use the registry/)
  expect(await registryFault('registry.example:5000', policy, at('1.1.1.1'))).toBeUndefined()
  expect(await registryFault('10.0.0.5:5000', policy, at())).toBeUndefined()
})
