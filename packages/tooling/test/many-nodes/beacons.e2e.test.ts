import { createClient } from '@matchyard/client'
import { packGameServer } from '@matchyard/example-game-server'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../src/client'
import { DelayingRelay } from '../../src/delaying-relay'
import { uploadBuild } from '../../src/engines/game-build'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'

/** Regions of the machines. */
const REGIONS = ['fra', 'iad'] as const
const NEAR_MS = 2
const FAR_MS = 60
/** Address at which players see the machines. The nodes listen at another one, and a relay between delays answers. */
const SEEN_AT = '127.0.0.2'

describe('two machines with beacons', () => {
  let cluster: Cluster
  const relays: DelayingRelay[] = []

  beforeAll(async () => {
    const ports = [await freePort(), await freePort()]
    cluster = await startCluster(REGIONS.length, {
      environmentOf: (node) => ({
        ...{ REGIONS: REGIONS[node] ?? 'fra', BEACON_PORT: String(ports[node]), SERVER_HOST: SEEN_AT },
      }),
    })
    for (const port of ports)
      relays.push(await DelayingRelay.open({ host: SEEN_AT, port }, { host: '127.0.0.1', port }))
    const backend = new Client(cluster.node(0).baseUrl, cluster.serverKey)
    await uploadBuild(backend, 'arena', 'server.mjs', Buffer.from(await packGameServer()))
    const { status, body } = await backend.call({
      ...{ method: 'POST', path: '/v1/queues' },
      body: {
        ...{ queue_id: 'solo', name: 'Solo' },
        matchmaking: { teams: 1, players_per_team: 1, rules: [{ type: 'latency', field: 'pings', max_ms: 200 }] },
        server_settings: {
          version_tag: 'arena',
          network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
        },
      },
    })
    expect([status, body]).toEqual([201, expect.anything()])
    backend.close()
  }, 120_000)
  afterAll(async () => {
    for (const relay of relays) relay.close()
    await cluster?.stop()
  })

  const clientOf = (player: string, node: number) =>
    createClient({ baseUrl: cluster.node(node).baseUrl, clientKey: cluster.clientKey, player, transport: 'polling' })
  const setDelays = (...delays: readonly number[]) => {
    for (const [index, relay] of relays.entries()) relay.delayMs = delays[index] ?? 0
  }

  it('are known to every node, and each player plays on the nearer one', { timeout: 120_000 }, async () => {
    for (const node of [0, 1]) {
      const regions = () => clientOf(`looks-${node}`, node).measureRegions()
      await eventually(regions, (all) => Object.keys(all).length === REGIONS.length, 20_000)
    }
    for (const [player, node, delays, near, far] of [
      ['ann', 0, [NEAR_MS, FAR_MS], 'fra', 'iad'],
      ['bob', 1, [FAR_MS, NEAR_MS], 'iad', 'fra'],
    ] as const) {
      setDelays(...delays)
      const client = clientOf(player, node)
      const latencies = await client.measureRegions()
      expect(latencies[far]).toBeGreaterThanOrEqual(FAR_MS - 1)
      expect(latencies[near]).toBeLessThan(latencies[far] ?? 0)
      const match = await client.play('solo', { measure: true })
      expect(match.lobby.current.server?.region).toBe(near)
      client.close()
    }
  })
})
