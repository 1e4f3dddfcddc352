import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { openStudio } from './harness/studio'

test('players, backends and developers read the served regions with their beacons; pages of any origin may', async () => {
  const url = 'https://fra-1.example.com/ping'
  const beacons = [
    { host: 'fra-1.example.com', udpPort: 7_000 },
    { host: 'fra-2.example.com', url },
  ]
  const service = await startService({ core: { regions: ['fra'], machine: { beacons } } })
  await service.matchyard.worker.watchNodes()
  const { client, server, token } = await openStudio(service)
  const expected = {
    regions: [
      {
        region: 'fra',
        beacons: [
          { host: 'fra-1.example.com', udp_port: 7_000 },
          { host: 'fra-2.example.com', url },
        ],
      },
    ],
  }
  for (const by of [{ key: client }, { key: server }, { token }]) {
    const { status, body, headers } = await service.call('GET /v1/regions', by)
    expect([status, body]).toEqual([200, expected])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  }
  expect((await service.call('GET /v1/regions')).body).toMatchObject({ code: 'MISSING_CREDENTIALS' })
})
