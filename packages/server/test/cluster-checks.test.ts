import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestCluster, testCluster } from '@matchyard/orchestrator/agones/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceConfig } from '../src/config/serve-config'
import { type CheckResult, examineAll } from '../src/doctor/check'
import { CLUSTER_CHECKS } from '../src/doctor/cluster-checks'
import { temporaryFolder } from './harness/folder'

const ending: (() => unknown)[] = []
let cluster: TestCluster
let folder: string
beforeEach(async () => {
  cluster = await testCluster()
  ending.push(() => cluster.close())
  folder = temporaryFolder()
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Starts a proxy before the cluster, which answers some paths by itself as if the cluster did not serve them. */
async function without(unserved: Readonly<Record<string, number>>): Promise<string> {
  const server = createServer((from, to) => {
    const { method, headers, url = '' } = from
    const path = Object.keys(unserved).find((path) => url === path || url.startsWith(`${path}/`))
    if (path !== undefined) return void to.writeHead(unserved[path] ?? 404).end('service unavailable')
    from.pipe(
      request(`${cluster.url}${url}`, { method, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Examined {
  /** Address of the cluster. Default: the cluster itself, without a proxy. */
  readonly url?: string
  readonly maxWarmServers?: number
  readonly config?: Partial<ServiceConfig>
  readonly agones?: object
}

async function examined({ url = cluster.url, maxWarmServers = 32, config, agones }: Examined = {}) {
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig('games').replace(cluster.url, url))
  const whole = {
    orchestrator: 'agones',
    agones: { installationId: 'ins', kubeconfig, ...agones },
    containers: { maxWarmServers },
    ...config,
  }
  const results = await examineAll(CLUSTER_CHECKS, { config: whole as ServiceConfig, faults: new Map() })
  const of = (name: string): CheckResult | undefined => results.find((one) => one.name === name)
  return { cluster: of('cluster'), rights: of('cluster-rights') }
}

test('a cluster with Agones is well, and so are the rights', async () => {
  const { cluster, rights } = await examined()
  expect(cluster).toMatchObject({ status: 'ok', message: 'games: Kubernetes v1.34.0, namespace games' })
  expect(rights).toMatchObject({ status: 'ok', message: 'a game server could be made, and nothing is missing' })
})

test('nothing is looked at where no cluster runs game servers, and what is not configured is said', async () => {
  const message = 'no cluster runs game servers here'
  const elsewhere = await examined({ config: { orchestrator: 'process' } })
  expect(elsewhere).toMatchObject({ cluster: { status: 'ok', message }, rights: { status: 'ok', message } })
  const unset = await examined({ config: { agones: undefined } })
  expect(unset.cluster).toMatchObject({
    status: 'fail',
    message: 'ORCHESTRATOR is agones, and AGONES_CONFIG is not set',
  })
})

test('a cluster without Agones fails, with the line that installs it', async () => {
  const url = await without({ '/apis/agones.dev': 404, '/apis/allocation.agones.dev': 404 })
  const found = (await examined({ url })).cluster
  expect(found).toMatchObject({ status: 'fail', message: 'games: Agones is not installed, or serves no agones.dev/v1' })
  expect(found?.mend).toMatch(/^helm install agones /)
})

test.each([
  [404, 'allocation.agones.dev/v1 is not served'],
  [503, 'allocation.agones.dev/v1 does not answer: answered 503'],
])('one that answers allocations by %i is warned of, for servers that wait alone need them', async (code, words) => {
  const url = await without({ '/apis/allocation.agones.dev': code })
  const { cluster, rights } = await examined({ url })
  const message = `games: no match is given a game server that waits for it: ${words}`
  expect(cluster).toMatchObject({ status: 'warn', message })
  expect(cluster?.mend).toMatch(/^helm upgrade agones .*registerApiService=true.*MAX_WARM_SERVERS=0$/)
  expect(rights).toMatchObject({ status: 'ok' })
  const cold = await examined({ url, maxWarmServers: 0 })
  expect(cold.cluster).toMatchObject({ status: 'ok' })
})

test('a right that is missing, and a policy that refuses, are named', async () => {
  cluster.api.rules = []
  const { cluster: found, rights } = await examined()
  expect(found).toMatchObject({ status: 'ok' })
  expect(rights).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/^games: this service may not create /),
  })
  cluster.api.rules = null
  cluster.api.admissions.push(() => {
    throw new Error('refused by a policy')
  })
  expect((await examined()).rights).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/^games: a game server would be refused: .*refused by a policy/s),
  })
})

test('of two clusters the one that does not answer fails by its name, and the other one is looked at', async () => {
  const config = JSON.parse(cluster.kubeconfig('games'))
  config.clusters.push({ name: 'far', cluster: { server: 'http://127.0.0.1:1' } })
  config.contexts.push({ name: 'far', context: { cluster: 'far', user: 'service' } })
  const two = join(folder, 'two')
  writeFileSync(two, JSON.stringify(config))
  const { cluster: found, rights } = await examined({
    agones: { kubeconfig: two, context: 'games', regions: { fra: 'far' } },
  })
  const message = 'games: Kubernetes v1.34.0, namespace games; far: 127.0.0.1:1 does not answer: '
  expect(found).toMatchObject({ status: 'fail', message: expect.stringContaining(message) })
  expect(found?.mend).toMatch(/AGONES_CONFIG/)
  expect(rights).toMatchObject({ status: 'ok' })
  const alone = await examined({ url: 'http://127.0.0.1:1' })
  expect(alone.rights).toMatchObject({ status: 'warn', message: 'the cluster does not answer' })
})
