import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { afterEach, expect, test } from 'vitest'
import { KubeClient } from '../../src/agones/kube/client'
import { type Connection, connectionOf, type KubeCall } from '../../src/agones/kube/connection'
import { Unreachable } from '../../src/agones/kube/errors'
import { GAMESERVERS, PODS } from '../../src/agones/kube/resources'
import { asRead, type PodItem } from '../../src/agones/kube/shapes'
import { ANNOTATION } from '../../src/agones/names'
import { isDelivered, MAX_DELIVERED_BYTES } from '../../src/agones/pools/delivery'
import { clusterWithoutSocket, testCluster } from '../../src/agones/testing/cluster'
import { PODS as STORED_PODS } from '../../src/agones/testing/kubernetes/objects'
import { directConnection } from './direct-connection'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const PAUSES = { now: () => performance.now(), pause: () => Promise.resolve() }
const clientOf = (connection: Connection) => new KubeClient(connection, 'games', PAUSES)

const mark = { instanceId: 'srv_1', attempt: 1 }
const told = (text: string) => ({
  [ANNOTATION.instance]: mark.instanceId,
  [ANNOTATION.attempt]: String(mark.attempt),
  [ANNOTATION.configuration]: text,
})

/** Returns a pod that has, like a real one, more fields than the client reads. */
const pod = (name: string, text: string) => ({
  metadata: {
    name,
    labels: { app: 'game' },
    annotations: { ...told(text), 'sidecar.mesh/status': 'x'.repeat(1_000) },
    ownerReferences: [{ apiVersion: 'agones.dev/v1', kind: 'GameServer', name, uid: `uid-of-${name}` }],
    managedFields: [{ manager: 'matchyard', fieldsV1: { 'f:metadata': {} } }],
  },
  spec: { containers: [{ name: 'game', image: 'registry.test/game:1' }], nodeName: 'node-1' },
  status: { phase: 'Running', podIP: '10.0.0.1', containerStatuses: [{ name: 'game', imageID: 'x', state: {} }] },
})

test('pods are listed, however large the configurations that were told to them, and of each is kept that it was told', async () => {
  const cluster = await testCluster()
  ending.push(() => cluster.close())
  const folder = mkdtempSync(join(tmpdir(), 'client-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const client = clientOf(connectionOf(config))
  // More bytes in all than a connection reads of one answer.
  const count = 360
  const text = 'x'.repeat(MAX_DELIVERED_BYTES - 10_000)
  expect(count * text.length).toBeGreaterThan(64 * 1024 ** 2)
  for (let index = 0; index < count; index++) cluster.api.store.create(STORED_PODS, 'games', pod(`pod-${index}`, text))
  const { items } = await client.list<PodItem>(PODS, 'app=game')
  expect(items).toHaveLength(count)
  expect(items.every((one) => isDelivered(one, mark))).toBe(true)
  expect(JSON.stringify(items).length / count).toBeLessThan(1_000)
  const one = await client.get<PodItem>(PODS, 'pod-0')
  expect(isDelivered(one, mark)).toBe(true)
  expect(JSON.stringify(one).length).toBeLessThan(1_000)
}, 120_000)

test('a page of pods is read even where each is as large as Kubernetes lets it be, and all of it is escaped', async () => {
  const { api, requests, stop } = clusterWithoutSocket()
  ending.push(stop)
  const limits: number[] = []
  const client = clientOf(
    directConnection(requests, ({ path }) => limits.push(Number(new URLSearchParams(path.split('?')[1]).get('limit')))),
  )
  api.store.create(STORED_PODS, 'games', pod('one', ''))
  await client.list(PODS, 'app=game')
  await client.list(GAMESERVERS, 'app=game')
  const largest = 6 * 256 * 1024
  expect((limits[0] ?? 0) * largest).toBeLessThan(64 * 1024 ** 2)
  expect(limits).toEqual([36, 500])
})

test('of an object is kept what is read of it', () => {
  const uid = { uid: '1', resourceVersion: '7' }
  const { metadata, ...rest } = pod('one', 'a configuration')
  expect(asRead({ ...rest, metadata: { ...metadata, ...uid } })).toEqual({
    metadata: {
      name: 'one',
      ...uid,
      labels: { app: 'game' },
      annotations: told(''),
      ownerReferences: [{ kind: 'GameServer', uid: 'uid-of-one' }],
    },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running', containerStatuses: [{ name: 'game', state: {} }] },
  })
})

const answering = (code: number, text: string): Connection => ({
  server: 'proxy.test',
  send: async () => ({ code, text, retryAfter: undefined }),
  stream: () => Promise.reject(new Error('nobody asks for it')),
})

const one = { name: 'one', uid: '1', resourceVersion: '7' }
const CALLS: readonly (readonly [string, (client: KubeClient) => Promise<unknown>, gone: unknown])[] = [
  ['get', (client) => client.get(GAMESERVERS, 'one'), undefined],
  ['patch', (client) => client.patch(GAMESERVERS, 'one', {}), undefined],
  ['delete', (client) => client.delete(GAMESERVERS, one), undefined],
  ['deleteAsSeen', (client) => client.deleteAsSeen(GAMESERVERS, one), true],
]

test.each(CALLS)('%s: what does not exist is what the interface says does not exist', async (_, call, gone) => {
  const status = { kind: 'Status', code: 404, reason: 'NotFound', message: 'gameservers.agones.dev "one" not found' }
  expect(await call(clientOf(answering(404, JSON.stringify(status))))).toEqual(gone)
  for (const text of ['<html>404 Not Found</html>', '404 page not found', '{"error":"no such route"}'])
    await expect(call(clientOf(answering(404, text)))).rejects.toThrow(Unreachable)
})

test('an answer that is not the interface’s is none', async () => {
  const calls: KubeCall[] = [{ method: 'GET', path: '/version' }]
  for (const call of calls)
    await expect(clientOf(answering(200, '<html>Sign in</html>')).ask(call)).rejects.toThrow(Unreachable)
})
