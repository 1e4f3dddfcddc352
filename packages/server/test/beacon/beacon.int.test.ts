import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { beaconsOf } from '../../src/beacon/node-beacons'
import { openUdpBeacon } from '../../src/beacon/udp-beacon'
import { readAgones } from '../../src/config/agones'
import { examine } from '../../src/config/serve-config'
import { Fault } from '../../src/config/setting'
import { examineAll } from '../../src/doctor/check'
import { NETWORK_CHECKS } from '../../src/doctor/network-checks'
import { readServeConfig } from '../../src/index'
import { freePort } from '../../src/testing/index'
import { temporaryFolder } from '../harness/folder'
import { startInProcess } from '../harness/in-process'
import { serveEnvironment } from '../harness/services'

const URL_OF_PING = 'https://fra-1.example.com/ping'

test('a machine answers measurements by UDP and HTTP, and is listed with its beacon', async () => {
  const beaconPort = await freePort()
  const logger = new FakeLogger()
  const machine = { orchestrator: 'process', beaconPort, beaconUrl: URL_OF_PING, regions: ['fra'] } as const
  const { matchyard, call, baseUrl, stop } = await startInProcess({ ...machine, logger, serverHost: '127.0.0.1' })
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'Arena' })
  const key = (await matchyard.keys.mint({ accountId, projectId, type: 'client' })).value ?? ''
  await matchyard.worker.watchNodes()
  const beacon = { host: '127.0.0.1', udp_port: beaconPort, url: URL_OF_PING }
  expect((await call('GET /v1/regions', { key })).body).toEqual({ regions: [{ region: 'fra', beacons: [beacon] }] })

  const lines = logger.lines.length
  for (const [path, method] of [
    ['/ping', 'GET'],
    ['/ping?1', 'GET'],
    ['/ping', 'HEAD'],
  ] as const) {
    const answer = await fetch(baseUrl + path, { method, headers: { origin: 'https://game.example' } })
    expect([answer.status, await answer.text(), Object.fromEntries(answer.headers)]).toEqual([
      204,
      '',
      expect.objectContaining({
        'access-control-allow-origin': '*',
        'timing-allow-origin': '*',
        'cache-control': 'no-store',
      }),
    ])
  }
  expect(logger.lines.length).toBe(lines)
  expect((await fetch(`${baseUrl}/ping`, { method: 'POST' })).status).toBe(404)

  const socket = createSocket('udp4')
  socket.send('MYP1abcdefgh', beaconPort, '127.0.0.1')
  const [packet] = await once(socket, 'message')
  expect(String(packet)).toBe('MYR1abcdefgh')
  socket.send('no request', beaconPort, '127.0.0.1')
  socket.send('MYP1abcdefgi', beaconPort, '127.0.0.1')
  await once(socket, 'message')
  socket.close()
  const page = await (await fetch(`${baseUrl}/metrics`)).text()
  expect(page).toContain('matchyard_beacon_packets_total{outcome="answered"} 2')
  expect(page).toContain('matchyard_beacon_packets_total{outcome="ignored"} 1')
  await stop()
})

test('a node without a beacon has neither /ping nor a listed beacon', async () => {
  const { baseUrl } = await startInProcess()
  expect((await fetch(`${baseUrl}/ping`)).status).toBe(404)
})

test('the variables of a beacon are checked', () => {
  const read = (more: Record<string, string>) => readServeConfig(serveEnvironment(temporaryFolder(), more))
  expect(read({ BEACON_PORT: '7000', BEACON_URL: URL_OF_PING })).toMatchObject({
    beaconPort: 7_000,
    beaconUrl: URL_OF_PING,
  })
  expect(() => read({ BEACON_URL: 'http://fra-1.example.com/ping' })).toThrow(/BEACON_URL: .* is not an https URL/)
  expect(() => read({ BEACON_URL: 'fra-1' })).toThrow(/BEACON_URL: "fra-1" is not a URL/)
  expect(() => read({ BEACON_PORT: '70000' })).toThrow(/BEACON_PORT: .* from 1 to 65535/)
  expect(() => read({ BEACON_PORT: '7000', ORCHESTRATOR: 'none' })).toThrow(
    'BEACON_PORT: no game servers run on this node (ORCHESTRATOR=none); unset it',
  )
})

test('doctor tries the port of a beacon', async () => {
  const beaconPort = await freePort()
  const look = async (more: Record<string, string>) => {
    const patient = examine(serveEnvironment(temporaryFolder(), { BEACON_PORT: `${beaconPort}`, ...more }))
    return (await examineAll(NETWORK_CHECKS, patient)).find(({ name }) => name === 'beacon')
  }
  expect(await look({})).toMatchObject({ status: 'ok', message: expect.stringContaining('can be used') })
  expect(await look({ BEACON_URL: 'http://h/ping' })).toMatchObject({ status: 'fail' })
  const clock = new FakeClock()
  const opened = await openUdpBeacon({ host: '127.0.0.1', port: beaconPort, clock, timers: clock })
  expect(await look({})).toMatchObject({ status: 'fail', message: expect.stringContaining('cannot be opened') })
  await opened.close()
})

test('the beacons of clusters are in AGONES_CONFIG, by region', () => {
  const file = join(temporaryFolder(), 'agones.json')
  const read = (beacons: object) => {
    writeFileSync(file, JSON.stringify({ installation: 'arena', beacons }))
    return readAgones(file)
  }
  const url = 'https://iad.example.com/ping'
  const agones = read({ fra: [{ host: '203.0.113.7', udp_port: 50_000 }], iad: [{ host: 'iad.example.com', url }] })
  if (agones instanceof Fault) throw new Error(agones.sentence)
  expect(beaconsOf({ orchestrator: 'agones', agones })).toEqual([
    { region: 'fra', host: '203.0.113.7', udpPort: 50_000 },
    { region: 'iad', host: 'iad.example.com', url },
  ])
  for (const [beacons, why] of [
    [{ fra: [{ host: 'h' }] }, /beacons\.fra\.0: must have a udp_port or a url/],
    [{ fra: [{ host: 'h', url: 'http://h/ping' }] }, /beacons\.fra\.0\.url: must be an https URL/],
    [{ fra: Array(9).fill({ host: 'h', udp_port: 1 }) }, /beacons\.fra: /],
    [{ mars: [] }, /beacons/],
  ] as const)
    expect(read(beacons)).toMatchObject({ sentence: expect.stringMatching(why) })
  const environment = serveEnvironment(temporaryFolder(), { BEACON_PORT: '7000', ORCHESTRATOR: 'agones' })
  expect(() => readServeConfig(environment)).toThrow(/BEACON_PORT: .*name the beacons of the clusters in AGONES_CONFIG/)
})
