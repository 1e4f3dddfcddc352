import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../src/index'
import { delayedBeacon } from './support/beacon'
import { startGame } from './support/game'

const BASE_URL = 'http://localhost'

/** Returns a client whose service has these regions. `urls` answers requests to other addresses. */
function clientOf(regions: readonly object[], urls: (url: string) => Response = () => new Response(null)) {
  const calls: string[] = []
  const fetch = (async (url: string) => {
    calls.push(url)
    return url === `${BASE_URL}/v1/regions` ? Response.json({ regions }) : urls(url)
  }) as typeof globalThis.fetch
  const client = createClient({ baseUrl: BASE_URL, clientKey: 'ck_live_0', player: 'ann', platform: { fetch } })
  return { client, calls }
}

describe('the latencies to regions', () => {
  it('are measured by UDP, in whole milliseconds; a region without an answer is absent', async () => {
    const [near, far, silent] = [await delayedBeacon(5), await delayedBeacon(80), await delayedBeacon(undefined)]
    const { client } = clientOf([
      { region: 'iad', beacons: [far] },
      { region: 'fra', beacons: [near] },
      { region: 'syd', beacons: [silent] },
      { region: 'ams', beacons: [{ host: 'no-such-host.invalid', udp_port: 7 }] },
      { region: 'sin', beacons: [] },
    ])
    const latencies = await client.measureRegions({ timeout: 1_000 })
    expect(Object.keys(latencies).sort()).toEqual(['fra', 'iad'])
    expect([Number.isInteger(latencies.fra), Number.isInteger(latencies.iad)]).toEqual([true, true])
    expect(latencies.iad).toBeGreaterThan(latencies.fra ?? 0)
    expect(latencies.iad).toBeGreaterThanOrEqual(79)
  })

  it('are those of the nearest beacon of a region; five requests measure an address once for all its regions', async () => {
    const [near, far] = [await delayedBeacon(0), await delayedBeacon(60)]
    const { client } = clientOf(['fra', 'ams'].map((region) => ({ region, beacons: [far, near] })))
    const { fra = 0, ams } = await client.measureRegions()
    expect(ams).toBe(fra)
    expect(fra).toBeLessThan(60)
    expect([near.asked(), far.asked()]).toEqual([5, 5])
  })

  it('are measured at a plain echo too, and not by answers that nobody asked for', async () => {
    const [echo, other] = [await delayedBeacon(0, 'MYP1'), await delayedBeacon(0, 'MYX1')]
    const { client } = clientOf([
      { region: 'fra', beacons: [echo] },
      { region: 'iad', beacons: [other] },
    ])
    expect(Object.keys(await client.measureRegions({ timeout: 400 }))).toEqual(['fra'])
  })

  it('of at most three beacons of each region are measured', async () => {
    const beacons = await Promise.all(Array.from({ length: 5 }, () => delayedBeacon(0)))
    const { client } = clientOf([{ region: 'fra', beacons }])
    await client.measureRegions()
    expect(beacons.map(({ asked }) => asked())).toEqual([5, 5, 5, 0, 0])
  })

  it('are measured by HTTP where there is no UDP, after a request that opens the connection', async () => {
    const [good, bad] = ['https://fra.example/ping', 'https://iad.example/ping']
    const { client, calls } = clientOf(
      [
        { region: 'fra', beacons: [{ host: 'fra.example', url: good }] },
        { region: 'iad', beacons: [{ host: 'iad.example', url: bad }] },
      ],
      (url) => (url === good ? new Response(null, { status: 204 }) : new Response('gone', { status: 502 })),
    )
    expect(Object.keys(await client.measureRegions())).toEqual(['fra'])
    expect(calls.filter((url) => url === good)).toHaveLength(6)
    expect(calls.filter((url) => url === bad)).toHaveLength(1)
  })

  it('use the times that a browser measured itself, when the beacon allows it', async () => {
    const url = 'https://fra.example/ping'
    const entries = vi.spyOn(performance, 'getEntriesByName').mockImplementation(() => {
      const startTime = performance.now()
      return [{ startTime, requestStart: startTime + 3, responseStart: startTime + 45 }] as never
    })
    const { client } = clientOf([{ region: 'fra', beacons: [{ host: 'fra.example', udp_port: 7, url }] }])
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    const latencies = await client.measureRegions()
    expect(entries).toHaveBeenCalledWith(url, 'resource')
    vi.restoreAllMocks()
    expect(latencies).toEqual({ fra: 42 })
  })

  it('are measured once for calls at the same time', async () => {
    const beacon = await delayedBeacon(0)
    const { client, calls } = clientOf([{ region: 'fra', beacons: [beacon] }])
    await Promise.all([client.measureRegions(), client.measureRegions()])
    expect([calls.length, beacon.asked()]).toEqual([1, 5])
  })
})

describe('play', () => {
  it('puts measured latencies into the state of the player, and measures once in five minutes', async () => {
    const game = await startGame(['duel'])
    const beacon = await delayedBeacon(0)
    game.answers.set('/v1/regions', { regions: [{ region: 'fra', beacons: [beacon] }] })
    const stateOf = async (options: object, client = game.client('ann')) => {
      const abort = new AbortController()
      client.play('duel', options, { signal: abort.signal }).catch(() => {})
      while ((await game.searchesOf('ann')).queues.length === 0) await new Promise((next) => setImmediate(next))
      const { lobbies } = await game.matchyard.players.self({ projectId: game.projectId, playerId: 'ann' })
      const id = lobbies[0]?.id ?? ''
      const lobby = await game.matchyard.lobbies.get({ projectId: game.projectId, lobbyId: id, backend: true })
      abort.abort()
      while ((await game.searchesOf('ann')).lobbies > 0) await new Promise((next) => setImmediate(next))
      return lobby.players[0]?.state
    }
    const pings = { fra: expect.any(Number) }
    const ann = game.client('ann')
    expect(await stateOf({ measure: true, state: { mmr: 7 } }, ann)).toEqual({ mmr: 7, pings })
    expect(await stateOf({ measure: { field: 'latency' } }, ann)).toEqual({ latency: pings })
    expect(beacon.asked()).toBe(5)
    expect(await stateOf({ measure: true, state: { pings: { fra: 1_000 } } })).toEqual({ pings: { fra: 1_000 } })
    game.answers.set('/v1/regions', { regions: [] })
    expect(await stateOf({ measure: true, state: { mmr: 7 } })).toEqual({ mmr: 7 })
    await game.stop()
  })
})
