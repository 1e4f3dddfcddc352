import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeTimers } from '@matchyard/node'
import { openUdpBeacon } from '@matchyard/server/testing'
import { expect, it, onTestFinished } from 'vitest'
import { DelayingRelay } from '../../src/delaying-relay'
import { skipWithout } from '../../src/needs'
import { whyNoGodot } from './godot/project'
import { Puppet } from './godot/puppet'

const HOST = '127.0.0.1'
const FAR_MS = 80

/** Starts a service that only lists regions, and refuses lobbies. Returns its URL and the states of the refused lobbies. */
async function startListing(regions: readonly object[]) {
  const states: unknown[] = []
  const server = createServer(async (request, answer) => {
    answer.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return answer.end(JSON.stringify({ regions }))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    states.push(JSON.parse(Buffer.concat(chunks).toString()).state)
    answer.writeHead(404).end(JSON.stringify({ code: 'QUEUE_NOT_FOUND', number: 3001, detail: 'no such queue' }))
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, states }
}

it('a game in Godot measures its latency to each region, and plays with it', { timeout: 60_000 }, async (context) => {
  const lacking = whyNoGodot()
  if (lacking !== undefined) skipWithout(context, 'Godot', lacking)
  const beacon = await openUdpBeacon({ host: HOST, port: 0, clock: { now: () => Date.now() }, timers: nodeTimers() })
  const far = await DelayingRelay.open({ host: HOST, port: 0 }, { host: HOST, port: beacon.port }, FAR_MS)
  onTestFinished(async () => {
    far.close()
    await beacon.close()
  })
  const at = (port: number) => ({ host: HOST, udp_port: port })
  const { url, states } = await startListing([
    { region: 'iad', beacons: [at(far.port)] },
    { region: 'fra', beacons: [at(far.port), at(beacon.port)] },
    { region: 'syd', beacons: [{ host: 'no-such-host.invalid', udp_port: 7 }] },
    { region: 'sin', beacons: [{ host: HOST, url: 'https://sin.example/ping' }] },
  ])
  const ann = await Puppet.start(url, 'ck_live_0', 'ann')
  onTestFinished(() => ann.stop())

  const latencies = await ann.call('matchyard', 'measure_regions', 1)
  expect(Object.keys(latencies).sort()).toEqual(['fra', 'iad'])
  expect(latencies.iad).toBeGreaterThanOrEqual(FAR_MS - 1)
  expect(latencies.fra).toBeLessThan(latencies.iad)

  const { answered } = beacon.counts()
  for (const options of [
    { measure: true, state: { mmr: 7 } },
    { measure: true, measure_field: 'latency' },
    { measure: true, state: { pings: 1 } },
  ]) {
    const refused = await ann.call('matchyard', 'play', 'duel', options).catch((error) => error)
    expect(refused.fields).toMatchObject({ code: 'QUEUE_NOT_FOUND' })
  }
  expect(states).toEqual([{ mmr: 7, pings: latencies }, { latency: latencies }, { pings: 1 }])
  expect(beacon.counts().answered).toBe(answered)
  expect(ann.complaints).toEqual([])
})
