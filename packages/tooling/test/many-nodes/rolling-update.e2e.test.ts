import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import type { Balancer } from '../../src/many-nodes/balancer/balancer'
import { followReadiness } from '../../src/many-nodes/balancer/follow-readiness'
import { nginxIsHere } from '../../src/many-nodes/balancer/nginx'
import { startBalancer } from '../../src/many-nodes/balancer/start'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { GameServers } from '../../src/many-nodes/game-servers'
import { percentiles } from '../../src/many-nodes/percentiles'
import { Follower } from '../../src/many-nodes/rolling/follower'
import { DUELS, keepQueues, playDuels, playRooms, ROOMS } from '../../src/many-nodes/rolling/lobbies'
import { Traffic } from '../../src/many-nodes/rolling/traffic'
import { skipWithout } from '../../src/needs'

/** How often all nodes are restarted. */
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 1)
/** Seconds for which each node is away. A node that vanished would be lost after six. */
const AWAY_SECONDS = Number(process.env.MATCHYARD_AWAY_SECONDS ?? 0)
const [ROOM_PLAYERS, DUELLISTS, STREAMS] = [6, 3, 12]
const EXIT_WITHIN_MS = 20_000

describe('three nodes behind a balancer that follows their readiness', () => {
  let cluster: Cluster
  let balancer: Balancer
  beforeAll(async () => {
    cluster = await startCluster(3, { environment: { DRAIN_SECONDS: '2', PLACEMENT: 'spread' } })
    balancer = await startBalancer(cluster.nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port)))
    for (const body of [ROOMS, DUELS]) {
      const queue = await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
      expect(queue.status).toBe(201)
    }
  }, 120_000)
  afterAll(async () => {
    await balancer?.stop()
    await cluster?.stop()
  })

  /** Returns the director leases and the jobs that the node still holds, which would have to wait for their expiry. */
  const inHandsOf = (nodeId: string) =>
    cluster.door.query(
      `select name from lease where holder = '${nodeId}' and name like 'director:%'
         and until > extract(epoch from now()) * 1000
       union all select id from job where holder = '${nodeId}'`,
    )

  it('are restarted one after the other under load: no call fails, no match ends, no event is lost, every stream is resumed', {
    timeout: 180_000 + ROUNDS * (90_000 + AWAY_SECONDS * 3_000),
  }, async () => {
    const servers = await GameServers.upload(cluster)
    const games = await servers.oneOnEachNode()
    const traffic = new Traffic(balancer.baseUrl, cluster.clientKey)
    const endpoints = followReadiness(cluster.nodes, balancer)
    const [waits, stops]: [number[], number[]] = [[], []]
    const load = Promise.all([
      ...Array.from({ length: ROOM_PLAYERS }, (_, index) => playRooms(traffic, `room-${index}`)),
      ...Array.from({ length: DUELLISTS }, (_, index) => playDuels(traffic, `duel-${index}`, waits)),
      ...Array.from({ length: STREAMS }, (_, index) => new Follower(traffic, `reader-${index}`).run()),
      keepQueues(traffic, cluster.serverKey),
    ])
    try {
      await eventually(
        () => [traffic.of('streams opened'), traffic.of('parties matched')],
        ([streams = 0, matched = 0]) => streams === STREAMS && matched > 0,
        60_000,
      )
      for (let round = 0; round < ROUNDS; round++) {
        for (const node of cluster.nodes) {
          const stopped = node.end('SIGTERM')
          const since = performance.now()
          await stopped
          stops.push(performance.now() - since)
          expect(await inHandsOf(node.nodeId)).toEqual([])
          await wait(AWAY_SECONDS * 1_000)
          await node.start()
          await eventually(
            () => endpoints.isUsed(node),
            (isUsed) => isUsed,
          )
          // The restarted node gets its share of the load before the next node stops.
          await wait(500)
        }
      }
    } finally {
      traffic.flows = false
      await load
      await endpoints.stop()
      traffic.close()
    }
    console.log(`${balancer.name}, ${stops.length} restarts: ${traffic.tally}`)
    console.log(`waits for a match ${percentiles(waits)} ms; SIGTERM to exit ${percentiles(stops)} ms`)
    expect(traffic.failed).toEqual([])
    for (const { id, nodeId } of games)
      expect(await servers.until(id, () => true)).toMatchObject({
        status: 'running',
        nodeId,
        attempt: 1,
        stopReason: null,
      })
    expect(traffic.violations).toEqual([])
    expect(traffic.of('streams ended')).toBeGreaterThanOrEqual(STREAMS)
    expect(traffic.of('streams resumed')).toBe(traffic.of('streams ended'))
    expect(Math.max(...stops)).toBeLessThan(EXIT_WITHIN_MS)
  })

  it('are behind a balancer that people have', (context) => {
    if (!nginxIsHere()) skipWithout(context, 'nginx', 'the load went through a balancer of our own')
    expect(balancer.name).toBe('nginx')
  })
})
