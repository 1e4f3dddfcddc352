import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GAMESERVERS, type KubeObject, PODS, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { call, gameServer, POD_PATH, SECRET_PATH, SERVERS, secret } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each test states a rule in the words of Agones' documentation. */

let time: SteppedTime
let cluster: TestCluster
let runs: Map<string, { pod: KubeObject; ended: (exit: { exitCode: number }) => void }>

beforeEach(async () => {
  time = new SteppedTime()
  runs = new Map()
  cluster = await testCluster({
    time,
    runtime: {
      imageFault: (image) => (image === 'missing' ? 'not found' : undefined),
      start(pod, _files, ended) {
        runs.set(pod.metadata.name, { pod, ended })
        return undefined
      },
      rewrite: () => {},
      stop: (uid) => [...runs.values()].find(({ pod }) => pod.metadata.uid === uid)?.ended({ exitCode: 0 }),
      log: () => [],
      forget: () => {},
    },
  })
})
afterEach(() => cluster.close())

const make = (name: string, more = {}) => call(cluster, 'POST', SERVERS, gameServer(name, more))
const stateOf = (name: string) => cluster.api.store.find(GAMESERVERS, 'games', name)?.status.state
const sdk = (name: string, state: string) => call(cluster, 'PATCH', `${SERVERS}/${name}`, { status: { state } })

describe('a GameServer', () => {
  test('goes from PortAllocation by Creating and Starting to Scheduled, and by the SDK’s Ready() to Ready', async () => {
    const seen = new Set<string>()
    cluster.api.store.subscribe(({ resource, object }) => resource === GAMESERVERS && seen.add(object.status.state))
    await make('g')
    time.pass(1_000)
    await sdk('g', 'RequestReady')
    time.pass(1_000)
    expect([...seen]).toEqual(['PortAllocation', 'Creating', 'Starting', 'Scheduled', 'RequestReady', 'Ready'])
  })

  test('is made Ready whoever asks for it: its state is no subresource, and a client’s patch of it is what the SDK writes', async () => {
    await make('g')
    time.pass(1_000)
    const { metadata } = cluster.api.store.get(GAMESERVERS, 'games', 'g')
    const { resourceVersion } = metadata
    const ask = () =>
      call(cluster, 'PATCH', `${SERVERS}/g`, { metadata: { resourceVersion }, status: { state: 'RequestReady' } })
    expect((await ask()).body.status.state).toBe('RequestReady')
    expect((await ask()).code).toBe(409)
    time.pass(1_000)
    expect(stateOf('g')).toBe('Ready')
  })

  test('does not become Ready before its container runs; then its Pod is told which one it was', async () => {
    const spec = {
      template: {
        spec: {
          volumes: [{ name: 'v', secret: { secretName: 'late' } }],
          containers: [{ name: 'game', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
        },
      },
    }
    await make('g', { spec })
    time.pass(1_000)
    await sdk('g', 'RequestReady')
    time.pass(60_000)
    expect(stateOf('g')).toBe('RequestReady')
    await call(cluster, 'POST', SECRET_PATH, secret('late'))
    time.pass(1_000)
    expect(stateOf('g')).toBe('Ready')
    const { annotations } = cluster.api.store.get(PODS, 'games', 'g').metadata
    expect(annotations?.['agones.dev/ready-container-id']).toMatch(/^containerd:/)
  })

  test('has its address, node and ports in its status once it is Scheduled, and not before', async () => {
    expect((await make('g')).body.status.ports).toBeUndefined()
    time.pass(1_000)
    const { status, spec } = cluster.api.store.get(GAMESERVERS, 'games', 'g')
    expect(status).toMatchObject({ address: '127.0.0.1', nodeName: 'node-1' })
    expect(status.ports).toEqual([{ name: 'game', port: spec.ports[0].hostPort }])
  })

  test('with portPolicy Dynamic is given a hostPort that no other has, and it is given away again after it', async () => {
    const portOf = (name: string) => cluster.api.store.get(GAMESERVERS, 'games', name).spec.ports[0].hostPort
    await make('a')
    await make('b')
    time.pass(1_000)
    const first = portOf('a')
    expect(portOf('b')).not.toBe(first)
    await call(cluster, 'DELETE', `${SERVERS}/a`)
    time.pass(1_000)
    await make('c')
    time.pass(1_000)
    expect(portOf('c')).toBe(first)
  })

  test('has a Pod of its name, with its template’s metadata, owned by it', async () => {
    const template = {
      metadata: { labels: { mine: 'yes' }, finalizers: ['example.com/mine'] },
      spec: { containers: [{ name: 'game', image: 'i' }] },
    }
    await make('g', { spec: { template } })
    time.pass(1_000)
    const { metadata } = cluster.api.store.get(PODS, 'games', 'g')
    expect(metadata.labels).toMatchObject({ mine: 'yes', 'agones.dev/gameserver': 'g' })
    expect(metadata.finalizers).toEqual(['example.com/mine'])
    expect(metadata.ownerReferences?.[0]).toMatchObject({ kind: 'GameServer', name: 'g' })
  })

  test('whose Pod may not be made (a quota, a schema) is in Error', async () => {
    cluster.api.quotas.set('count/pods', 0)
    await make('g')
    time.pass(1_000)
    expect(stateOf('g')).toBe('Error')
  })

  test('whose Pod mounts a volume that there is not, or a field that a pod does not have, is in Error', async () => {
    const pod = (volume: object, mount = 'v') => ({
      template: {
        spec: {
          volumes: [{ name: 'v', ...volume }],
          containers: [{ name: 'game', image: 'i', volumeMounts: [{ name: mount, mountPath: '/v' }] }],
        },
      },
    })
    const item = (fieldPath: string) => ({ downwardAPI: { items: [{ path: 'f', fieldRef: { fieldPath } }] } })
    await make('a', { spec: pod({}, 'other') })
    await make('b', { spec: pod(item('metadata.annotation')) })
    await make('c', { spec: pod(item("metadata.annotations['a']")) })
    time.pass(1_000)
    expect([stateOf('a'), stateOf('b'), stateOf('c')]).toEqual(['Error', 'Error', 'Scheduled'])
  })

  test('whose Pod has failed is Unhealthy, and stays', async () => {
    await make('g')
    time.pass(1_000)
    runs.get('g')?.ended({ exitCode: 1 })
    time.pass(10_000)
    expect(stateOf('g')).toBe('Unhealthy')
    expect(cluster.api.store.get(PODS, 'games', 'g').status.containerStatuses[0].state.terminated.exitCode).toBe(1)
  })

  test('whose Pod has succeeded is shut down, and deleted with its Pod', async () => {
    await make('g')
    time.pass(1_000)
    runs.get('g')?.ended({ exitCode: 0 })
    time.pass(10_000)
    expect([stateOf('g'), cluster.api.store.list(PODS)]).toEqual([undefined, []])
  })

  test('whose Pod was deleted is Unhealthy', async () => {
    await make('g')
    time.pass(1_000)
    await call(cluster, 'DELETE', `${POD_PATH}/g`)
    time.pass(60_000)
    expect(stateOf('g')).toBe('Unhealthy')
  })

  test('that is deleted stays until its Pod is truly gone (finalizer agones.dev/controller)', async () => {
    const template = {
      metadata: { finalizers: ['example.com/mine'] },
      spec: { containers: [{ name: 'game', image: 'i' }] },
    }
    await make('g', { spec: { template } })
    time.pass(1_000)
    await call(cluster, 'DELETE', `${SERVERS}/g`)
    time.pass(60_000)
    expect(cluster.api.store.get(GAMESERVERS, 'games', 'g').metadata.deletionTimestamp).toBeDefined()
    await call(cluster, 'PATCH', `${POD_PATH}/g`, { metadata: { finalizers: null } })
    time.pass(1_000)
    expect(stateOf('g')).toBeUndefined()
  })

  test('that breaks the schema is refused (422)', async () => {
    const container = { name: 'game', image: 'i' }
    const port = { name: 'p', containerPort: 1 }
    const bad = [
      { template: undefined },
      { template: { spec: { containers: [] } } },
      { template: { spec: { containers: [{ name: 'game' }] } } },
      { template: { spec: { containers: [{ ...container, name: 'Game' }] } } },
      { template: { spec: { containers: [container, { ...container, name: 'b' }] } } },
      { template: { spec: { containers: [{ ...container, resources: { limits: { cpu: 'much' } } }] } } },
      { template: { spec: { containers: [{ ...container, env: [{ name: 'A', value: 1 }] }] } } },
      { container: 'none' },
      { ports: [{ ...port, containerPort: 0 }] },
      { ports: [{ ...port, protocol: 'SCTP' }] },
      { ports: [{ ...port, portPolicy: 'Any' }] },
      { ports: [{ ...port, hostPort: 7_000 }] },
    ]
    for (const spec of bad)
      expect([JSON.stringify(spec), (await make('g', { spec })).code]).toEqual([JSON.stringify(spec), 422])
  })

  test('whose node is drained is Unhealthy, and others go to another node', async () => {
    await make('g')
    time.pass(1_000)
    cluster.kubelet.drain('node-1')
    time.pass(60_000)
    expect(stateOf('g')).toBe('Unhealthy')
    await make('h')
    time.pass(1_000)
    expect(stateOf('h')).toBe('Starting')
  })
})
