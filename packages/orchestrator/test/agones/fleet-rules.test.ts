import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  FLEETS,
  GAMESERVERS,
  type KubeObject,
  SETS,
  type TestCluster,
  testCluster,
} from '../../src/agones/testing/index'
import { ALLOCATION_PATH, call, FLEET_PATH, gameServer, SERVERS } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each test states a rule in the words of Agones' documentation, or as Agones' source implements it. */

let time: SteppedTime
let cluster: TestCluster

beforeEach(async () => {
  time = new SteppedTime()
  cluster = await testCluster({ time })
})
afterEach(() => cluster.close())

const { spec } = gameServer('x')
const fleet = (replicas: unknown, more = {}) => ({
  metadata: { name: 'f' },
  spec: { replicas, template: { metadata: { labels: { v: '1' } }, spec }, ...more },
})
const servers = () => cluster.api.store.list(GAMESERVERS)
const names = () => servers().map(({ metadata }) => metadata.name)
const stateOf = (name: string) => cluster.api.store.find(GAMESERVERS, 'games', name)?.status.state
const scale = (replicas: number) => call(cluster, 'PATCH', `${FLEET_PATH}/f`, { spec: { replicas } })
const sdk = (name: string, state: string) => call(cluster, 'PATCH', `${SERVERS}/${name}`, { status: { state } })
const ready = async () => {
  for (const name of names()) if (stateOf(name) === 'Scheduled') await sdk(name, 'RequestReady')
  time.pass(1_000)
}
/** Makes a Fleet whose GameServers are all Ready. */
const fleetOf = async (replicas: number, more = {}) => {
  await call(cluster, 'POST', FLEET_PATH, fleet(replicas, more))
  time.pass(1_000)
  await ready()
}
const ask = (spec: object, query = '') => call(cluster, 'POST', `${ALLOCATION_PATH}${query}`, { spec })
const allocate = async (metadata = {}, matchLabels: object = { 'agones.dev/fleet': 'f' }) =>
  (await ask({ selectors: [{ matchLabels }], metadata })).body.status

describe('a Fleet', () => {
  test('has a GameServerSet that it owns, which owns the GameServers; they have the labels of its template, and theirs', async () => {
    await fleetOf(1)
    const [set] = cluster.api.store.list(SETS)
    const [server] = servers()
    expect(set?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'Fleet', name: 'f' })
    expect(server?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'GameServerSet', uid: set?.metadata.uid })
    expect(server?.metadata.name.startsWith(`${set?.metadata.name}-`)).toBe(true)
    const { v, ...labels } = server?.metadata.labels ?? {}
    expect([v, labels]).toEqual(['1', { 'agones.dev/fleet': 'f', 'agones.dev/gameserverset': set?.metadata.name }])
  })

  test('counts its GameServers in its status: all, the Ready and the Allocated, and none that is being deleted', async () => {
    await fleetOf(2, { template: { metadata: { finalizers: ['example.com/mine'] }, spec } })
    const { gameServerName } = await allocate()
    time.pass(1_000)
    const status = () => cluster.api.store.get(FLEETS, 'games', 'f').status
    expect(status()).toMatchObject({ replicas: 2, readyReplicas: 1, allocatedReplicas: 1 })
    await scale(1)
    await call(cluster, 'DELETE', `${SERVERS}/${gameServerName}`)
    time.pass(60_000)
    expect([names().length, status()]).toMatchObject([2, { replicas: 1, allocatedReplicas: 0 }])
  })

  test('replaces a GameServer that is deleted, also while what keeps that one is still there', async () => {
    await fleetOf(1, { template: { metadata: { finalizers: ['example.com/mine'] }, spec } })
    const [name = ''] = names()
    await call(cluster, 'DELETE', `${SERVERS}/${name}`)
    time.pass(1_000)
    expect(names()).toHaveLength(2)
    await call(cluster, 'PATCH', `${SERVERS}/${name}`, { metadata: { finalizers: null } })
    time.pass(60_000)
    expect(names()).toHaveLength(1)
    expect(names()).not.toContain(name)
  })

  test('replaces an Unhealthy one at once, and one in Error after half a minute', async () => {
    await fleetOf(1)
    const [unhealthy = ''] = names()
    await sdk(unhealthy, 'Unhealthy')
    time.pass(1_000)
    expect(stateOf(unhealthy)).toBeUndefined()
    cluster.api.quotas.set('count/pods', 0)
    await call(cluster, 'DELETE', `${SERVERS}/${names()[0]}`)
    time.pass(5_000)
    const error = names().find((name) => stateOf(name) === 'Error') ?? ''
    expect(names()).toEqual([error])
    time.pass(20_000)
    expect(names()).toEqual([error])
    cluster.api.quotas.clear()
    time.pass(20_000)
    expect(names()).toHaveLength(1)
    expect(stateOf(names()[0] ?? '')).toBe('Scheduled')
  })

  test('goes on where a quota refuses some of its GameServers, once there is room', async () => {
    cluster.api.quotas.set('count/gameservers.agones.dev', 1)
    await call(cluster, 'POST', FLEET_PATH, fleet(3))
    time.pass(60_000)
    expect(names()).toHaveLength(1)
    cluster.api.quotas.clear()
    time.pass(5_000)
    expect(names()).toHaveLength(3)
  })

  test('is not seen to while Agones’ controller is away, and is once it is back; allocations go on', async () => {
    await fleetOf(1)
    cluster.agones.pause()
    await scale(2)
    time.pass(60_000)
    expect([names().length, (await allocate()).state]).toEqual([1, 'Allocated'])
    cluster.agones.resume()
    time.pass(1_000)
    expect(names()).toHaveLength(2)
  })

  test('never takes away an Allocated one by scaling down, and takes those that are not Ready first', async () => {
    await fleetOf(2)
    const { gameServerName } = await allocate()
    await scale(3)
    time.pass(1_000)
    const waits = names().filter((name) => stateOf(name) === 'Ready')
    await scale(2)
    time.pass(60_000)
    expect(new Set(names())).toEqual(new Set([gameServerName, ...waits]))
    await scale(0)
    time.pass(60_000)
    expect([names(), stateOf(gameServerName)]).toEqual([[gameServerName], 'Allocated'])
  })

  test('shuts down by the state, and by the version that it has read: one that was allocated before is not taken away', async () => {
    await fleetOf(1)
    const seen: string[] = []
    cluster.api.store.subscribe(({ resource, object }) => resource === GAMESERVERS && seen.push(object.status.state))
    await scale(0)
    expect((await allocate()).state).toBe('Allocated')
    time.pass(60_000)
    expect(servers()).toHaveLength(1)
    expect(new Set(seen)).toEqual(new Set(['Allocated']))
  })

  test('that is deleted takes all of its GameServers with it, the Allocated ones too', async () => {
    await fleetOf(2)
    await allocate()
    await call(cluster, 'DELETE', `${FLEET_PATH}/f`)
    time.pass(60_000)
    expect([servers(), cluster.api.store.list(SETS)]).toEqual([[], []])
  })

  test('whose template is changed makes others of it, and leaves the Allocated ones of the old one', async () => {
    await fleetOf(2)
    const { gameServerName } = await allocate()
    await call(cluster, 'PATCH', `${FLEET_PATH}/f`, { spec: { template: { metadata: { labels: { v: '2' } } } } })
    time.pass(60_000)
    const versions = new Map(servers().map(({ metadata }) => [metadata.name, metadata.labels?.v]))
    expect([...versions.values()].sort()).toEqual(['1', '2'])
    expect(versions.get(gameServerName)).toBe('1')
  })

  test('has a status that a client does not write: it is a subresource', async () => {
    await fleetOf(1)
    await call(cluster, 'PATCH', `${FLEET_PATH}/f`, { status: { replicas: 9 } })
    expect(cluster.api.store.get(FLEETS, 'games', 'f').status.replicas).toBe(1)
  })

  test('that breaks the schema is refused (422)', async () => {
    const bad = [
      { replicas: -1 },
      { replicas: '2' },
      { template: undefined },
      { template: { spec: { ...spec, template: { spec: { containers: [] } } } } },
      { template: { spec: { ...spec, ports: [{ name: 'p', containerPort: 0 }] } } },
      { template: { metadata: { labels: { v: '-' } }, spec } },
      { strategy: { type: 'Slow' } },
      { scheduling: 'Anyhow' },
    ]
    for (const more of bad) {
      const { code } = await call(cluster, 'POST', FLEET_PATH, fleet(1, more))
      expect([JSON.stringify(more), code]).toEqual([JSON.stringify(more), 422])
    }
    const long = { ...fleet(1), metadata: { name: 'f'.repeat(64) } }
    expect((await call(cluster, 'POST', FLEET_PATH, long)).code).toBe(422)
  })
})

describe('a GameServerAllocation', () => {
  test('takes only Ready ones that are not being deleted; where there is none it is UnAllocated', async () => {
    await call(cluster, 'POST', FLEET_PATH, fleet(1, { template: { metadata: { finalizers: ['a.b/c'] }, spec } }))
    time.pass(1_000)
    expect(await allocate()).toEqual({ state: 'UnAllocated' })
    await ready()
    await call(cluster, 'DELETE', `${SERVERS}/${names()[0]}`)
    expect([stateOf(names()[0] ?? ''), await allocate()]).toEqual(['Ready', { state: 'UnAllocated' }])
    time.pass(1_000)
    await ready()
    const { state, gameServerName, address, ports } = await allocate()
    expect([state, address, ports.length, stateOf(gameServerName)]).toEqual(['Allocated', '127.0.0.1', 1, 'Allocated'])
    expect(await allocate()).toEqual({ state: 'UnAllocated' })
  })

  test('takes by its selectors in their order, all labels of one and its gameServerState', async () => {
    await fleetOf(1)
    expect(await allocate({}, { v: '2' })).toEqual({ state: 'UnAllocated' })
    expect(await allocate({}, { v: '1', 'agones.dev/fleet': 'g' })).toEqual({ state: 'UnAllocated' })
    const again = {
      selectors: [{ matchLabels: { v: '2' } }, { matchLabels: { v: '1' }, gameServerState: 'Allocated' }],
    }
    expect((await ask(again)).body.status).toEqual({ state: 'UnAllocated' })
    const { gameServerName } = await allocate()
    expect((await ask(again)).body.status).toMatchObject({ state: 'Allocated', gameServerName })
  })

  test('adds its labels and annotations to the GameServer, and tells all that it has now, but not its uid', async () => {
    await fleetOf(1)
    const status = await allocate({ labels: { match: 'm', v: '3' }, annotations: { note: 'n' } })
    const { metadata } = cluster.api.store.get(GAMESERVERS, 'games', status.gameServerName)
    expect(metadata.labels).toMatchObject({ match: 'm', v: '3', 'agones.dev/fleet': 'f' })
    expect(metadata.annotations).toMatchObject({ note: 'n', 'agones.dev/last-allocated': expect.any(String) })
    expect(status.metadata).toEqual({ labels: metadata.labels, annotations: metadata.annotations })
    expect(JSON.stringify(status)).not.toContain(metadata.uid)
  })

  test('never gives one to two that ask at once', async () => {
    await fleetOf(2)
    const answers = await Promise.all([1, 2, 3, 4].map((one) => allocate({ labels: { by: String(one) } })))
    const given = answers.filter(({ state }) => state === 'Allocated').map(({ gameServerName }) => gameServerName)
    expect([given.length, new Set(given).size]).toEqual([2, 2])
    for (const [index, { gameServerName }] of answers.entries()) {
      if (gameServerName === undefined) continue
      const { labels } = cluster.api.store.get(GAMESERVERS, 'games', gameServerName).metadata
      expect(labels?.by).toBe(String(index + 1))
    }
  })

  test('is carried out by a dry run too', async () => {
    await fleetOf(1)
    await ask({ selectors: [{ matchLabels: { v: '1' } }] }, '?dryRun=All')
    expect(stateOf(names()[0] ?? '')).toBe('Allocated')
  })

  test('that breaks the schema is refused (422), and takes none', async () => {
    await fleetOf(1)
    const bad = [
      { scheduling: 'Anyhow' },
      { selectors: { matchLabels: {} } },
      { selectors: [{ gameServerState: 'Scheduled' }] },
      { selectors: [{ matchLabels: { v: 1 } }] },
      { metadata: { labels: { l: 'a b' } } },
      { metadata: { annotations: { n: 1 } } },
      { metadata: { annotations: { n: 'x'.repeat(262_145) } } },
    ]
    for (const one of bad) {
      const label = JSON.stringify(one).slice(0, 80)
      expect([label, (await ask(one)).code]).toEqual([label, 422])
    }
    expect(servers().map(({ status }: KubeObject) => status.state)).toEqual(['Ready'])
  })

  test('may meet contention, and then has none; its answer may be lost, and then it has one', async () => {
    await fleetOf(1)
    cluster.server.faults.judgeAllocation = () => 'contention'
    expect(await allocate()).toEqual({ state: 'Contention' })
    expect(stateOf(names()[0] ?? '')).toBe('Ready')
    cluster.server.faults.clear()
    cluster.server.faults.judge = ({ resource }) => (resource === 'gameserverallocations' ? 'lost' : 'pass')
    await expect(allocate({ labels: { by: 'me' } })).rejects.toThrow()
    expect(servers()[0]).toMatchObject({ metadata: { labels: { by: 'me' } }, status: { state: 'Allocated' } })
  })

  test('may take two where Agones writes one, hears no answer and tries another: it tells of the second', async () => {
    await fleetOf(2)
    cluster.server.faults.judgeAllocation = () => 'twice'
    const { gameServerName } = await allocate({ labels: { by: 'me' } })
    expect(servers().map(({ metadata, status }) => [metadata.labels?.by, status.state])).toEqual([
      ['me', 'Allocated'],
      ['me', 'Allocated'],
    ])
    expect(gameServerName).toBe(names()[1])
  })

  test('is a right of its own, in a group of its own', async () => {
    cluster.api.rules = [{ apiGroups: ['agones.dev'], resources: ['*'], verbs: ['*'] }]
    expect((await ask({})).code).toBe(403)
    cluster.api.rules = [
      { apiGroups: ['allocation.agones.dev'], resources: ['gameserverallocations'], verbs: ['create'] },
    ]
    expect((await ask({})).code).toBe(201)
  })
})
