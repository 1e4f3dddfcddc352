import { afterAll, beforeAll, expect, it } from 'vitest'
import { killProcessesOf } from '../../src/game-processes'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { GameServers } from '../../src/many-nodes/game-servers'

let cluster: Cluster
let servers: GameServers
beforeAll(async () => {
  cluster = await startCluster(3, { environment: { PLACEMENT: 'spread' } })
  servers = await GameServers.upload(cluster)
}, 120_000)
afterAll(() => cluster?.stop())

it('a node that said goodbye is waited for and has its game servers again, and one that was killed is not', {
  timeout: 240_000,
}, async () => {
  const [, ofGoodbye, ofKilled] = await servers.oneOnEachNode()
  if (ofGoodbye === undefined || ofKilled === undefined) throw new Error('a node runs no game server')
  await cluster.node(1).end('SIGTERM')
  await cluster.node(2).end('SIGKILL')
  // The node that was killed later is given up, so the time for a node that vanished is over for both.
  const lost = await servers.until(ofKilled.id, ({ status }) => status === 'failed')
  expect(lost.stopReason).toBe('its node is gone')
  expect(await servers.until(ofGoodbye.id, () => true)).toMatchObject({ status: 'running', attempt: 1 })

  await cluster.node(1).start()
  killProcessesOf(ofGoodbye.id)
  // Only the node that adopted the process sees its end.
  const ended = await servers.until(ofGoodbye.id, ({ status }) => status === 'failed')
  expect(ended).toMatchObject({ nodeId: 'node-1', attempt: 1 })
  expect(ended.stopReason).not.toBe('its node is gone')
})
