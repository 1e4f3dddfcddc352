import { expect, test } from 'vitest'
import { lanOf } from '../../src/dev/lan'

const info = { netmask: '', mac: '', internal: false, cidr: null }
const interfaces = {
  eth0: [
    { ...info, address: '10.0.0.5', family: 'IPv4' as const },
    { ...info, address: 'fd00::20', family: 'IPv6' as const, scopeid: 0 },
  ],
}
const asked = { lan: true, rawArgs: ['--lan'], hostOption: undefined, environment: {}, interfaces }

test('players and game servers get the address, and registration is closed', () => {
  const lan = lanOf(asked)
  expect(lan).toMatchObject({ address: '10.0.0.5', host: '0.0.0.0' })
  expect(lan?.options(8080)).toEqual({
    publicUrl: 'http://10.0.0.5:8080',
    serverHost: '10.0.0.5',
    registration: 'closed',
  })
})

test('an address of IPv6 has brackets in URLs alone', () => {
  const lan = lanOf({ ...asked, rawArgs: ['--port', '80', '--lan=fd00::20'] })
  expect(lan).toMatchObject({ address: 'fd00::20', host: '::' })
  expect(lan?.options(8080)).toMatchObject({ publicUrl: 'http://[fd00::20]:8080', serverHost: 'fd00::20' })
})

test('there is no such mode without --lan', () => {
  expect(lanOf({ ...asked, lan: false })).toBeUndefined()
})

test('a setting that contradicts --lan is named', () => {
  const environment = { HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example', SERVER_HOST: '' }
  expect(() => lanOf({ ...asked, hostOption: '127.0.0.1', environment })).toThrow(
    expect.objectContaining({
      faults: [
        '--host: --lan sets it; leave it out, or leave out --lan',
        'HOST: --lan sets it; leave it out, or leave out --lan',
        'PUBLIC_URL: --lan sets it; leave it out, or leave out --lan',
      ],
    }),
  )
})
