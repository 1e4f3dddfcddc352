import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { AgentProcess } from '../../src/many-nodes/agent-process'
import type { Balancer } from '../../src/many-nodes/balancer/balancer'
import { followReadiness } from '../../src/many-nodes/balancer/follow-readiness'
import { startBalancer } from '../../src/many-nodes/balancer/start'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { GameServers } from '../../src/many-nodes/game-servers'
import { DUELS, playDuels, playRooms, ROOMS } from '../../src/many-nodes/rolling/lobbies'
import { Traffic } from '../../src/many-nodes/rolling/traffic'

const MACHINES = ['fra-1', 'fra-2']
const SERVERS = 6
const [ROOM_PLAYERS, DUELLISTS] = [3, 2]

let cluster: Cluster
let balancer: Balancer
let folder: string
const agents = new Map<string, AgentProcess>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'matchyard-agents-'))
  cluster = await startCluster(2, {
    environment: { ORCHESTRATOR: 'agents', WORKERS: '1', DRAIN_SECONDS: '2', PLACEMENT: 'spread' },
  })
  balancer = await startBalancer(cluster.nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port)))
  // The hash of a token does not depend on the secret of the installation.
  const { machines } = createMatchyard({
    storage: cluster.storage,
    ...nodePlatform({ secret: 'any secret will do: 7fK2pQ9xZ4mVb8' }),
  })
  for (const name of MACHINES) {
    const { token } = await machines.mintToken({ name })
    agents.set(
      name,
      new AgentProcess({
        MATCHYARD_URL: balancer.baseUrl,
        MATCHYARD_MACHINE_TOKEN: token ?? '',
        MATCHYARD_DATA: join(folder, name),
        SERVER_HOST: '127.0.0.1',
        REGIONS: 'fra',
      }),
    )
  }
  for (const body of [ROOMS, DUELS])
    await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
}, 120_000)

afterAll(async () => {
  for (const agent of agents.values()) await agent.end('SIGTERM')
  await balancer?.stop()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

it('two nodes and the agents of two machines are restarted under load: no call fails, and no game server ends', {
  timeout: 300_000,
}, async () => {
  for (const agent of agents.values()) await agent.start()
  const servers = await GameServers.upload(cluster)
  const games = await start(servers, SERVERS)
  expect(new Set(games.map(({ nodeId }) => nodeId))).toEqual(new Set(MACHINES))
  const traffic = new Traffic(balancer.baseUrl, cluster.clientKey)
  const endpoints = followReadiness(cluster.nodes, balancer)
  const waits: number[] = []
  const load = Promise.all([
    ...Array.from({ length: ROOM_PLAYERS }, (_, index) => playRooms(traffic, `room-${index}`)),
    ...Array.from({ length: DUELLISTS }, (_, index) => playDuels(traffic, `duel-${index}`, waits)),
  ])
  try {
    for (const node of cluster.nodes) {
      for (const agent of agents.values()) {
        await agent.end('SIGTERM')
        await agent.start()
      }
      await node.end('SIGTERM')
      games.push(...(await start(servers, 1)))
      await node.start()
      await eventually(
        () => endpoints.isUsed(node),
        (isUsed) => isUsed,
      )
    }
  } finally {
    traffic.flows = false
    await load
    await endpoints.stop()
    traffic.close()
  }
  console.log(`${traffic.tally}`)
  expect(traffic.failed).toEqual([])
  expect(traffic.violations).toEqual([])
  for (const { id, nodeId } of games)
    expect(await servers.until(id, () => true)).toMatchObject({ status: 'running', nodeId, attempt: 1 })
  // The log of each server is read through each node, also through the one that does not hold the stream of its machine.
  for (const node of cluster.nodes)
    for (const { id } of games) {
      const path = `/v1/servers/${id}/logs`
      const answer = await node.call<{ logs: unknown[] }>({ method: 'GET', path, key: cluster.serverKey })
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.body.logs.length).toBeGreaterThan(0)
    }
})

/** Starts game servers through the balancer's nodes, and waits until they run. */
async function start(servers: GameServers, count: number) {
  const body = {
    version_tag: 'arena',
    region: 'fra',
    network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
  }
  const started = []
  for (let index = 0; index < count; index++) {
    const node = cluster.nodes.find(({ isUp }) => isUp) ?? cluster.node(0)
    const { status, body: made } = await node.call<{ instance_id: string }>({
      ...{ method: 'POST', path: '/v1/servers', key: cluster.serverKey, body },
    })
    expect(status).toBe(201)
    started.push(await servers.until(made.instance_id, (server) => server.status === 'running'))
  }
  return started
}
