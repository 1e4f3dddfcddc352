import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { agonesIn } from '../../src/agones/agones-orchestrator'
import type { Connection } from '../../src/agones/kube/connection'
import { clusterWithoutSocket, kubeconfigOf } from '../../src/agones/testing/cluster'
import { PODS } from '../../src/agones/testing/kubernetes/objects'
import { directConnection } from './direct-connection'
import { launchSpec } from './launch-spec'
import { passing, pausesOf } from './stepped-pauses'
import { SteppedTime } from './stepped-time'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const SECOND = 1_000

/** Makes a cluster and a service without sockets; time passes only when the test lets it pass. */
async function setting(between: (direct: Connection) => Partial<Connection> = () => ({})) {
  const time = new SteppedTime()
  const cluster = clusterWithoutSocket({ time })
  const folder = mkdtempSync(join(tmpdir(), 'unwatched-'))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigOf('http://direct', ['direct']))
  const direct = directConnection(cluster.requests)
  const orchestrator = agonesIn(
    { installationId: 'ins', kubeconfig, clock: time },
    { pauses: pausesOf(time), knock: async () => 'accepts', connect: () => ({ ...direct, ...between(direct) }) },
  )
  ending.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => cluster.stop(),
    () => orchestrator.close(),
  )
  const { pass, done } = passing(time)
  await done(orchestrator.open())
  const observed = async () => (await done(orchestrator.observe())).map(({ state }) => state)
  const endContainer = () => {
    for (const { metadata } of cluster.api.store.list(PODS))
      cluster.api.store.update(PODS, 'games', metadata.name, (pod) => {
        const containerStatuses = [{ name: 'game', state: { terminated: { exitCode: 0 } } }]
        return { ...pod, status: { ...pod.status, containerStatuses } }
      })
  }
  return { ...cluster, orchestrator, pass, done, observed, endContainer }
}

test.each([
  { how: 'is refused', fate: 'down' as const },
  { how: 'is never answered', fate: 'pass' as const },
])('where a watch $how, a server that has ended is told as ended', async ({ fate }) => {
  let isDead = false
  const never = new Promise<never>(() => {})
  const { requests, orchestrator, pass, done, observed, endContainer } = await setting(({ stream }) => ({
    stream: (call) => (isDead && fate === 'pass' ? never : stream(call)),
  }))
  await done(orchestrator.launch(launchSpec()))
  await pass(2 * SECOND)
  expect(await observed()).toEqual(['ready'])
  isDead = true
  requests.faults.judge = ({ verb }) => (verb === 'watch' ? fate : 'pass')
  requests.cutWatches()
  endContainer()
  await pass(61 * SECOND)
  expect(await observed()).toEqual(['exited'])
})
