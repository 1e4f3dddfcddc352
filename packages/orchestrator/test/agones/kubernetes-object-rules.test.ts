import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GAMESERVERS, PODS, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { call, gameServer, makeSecret, POD_PATH, SECRET_PATH, SERVERS, secret } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each test states a rule in the words of Kubernetes' documentation. */

let time: SteppedTime
let cluster: TestCluster

beforeEach(async () => {
  time = new SteppedTime()
  cluster = await testCluster({ time })
})
afterEach(() => cluster.close())

const make = (name: string, labels?: Record<string, string>) => makeSecret(cluster, name, labels)

describe('names', () => {
  test('an object of the same name is refused: AlreadyExists (409)', async () => {
    await make('a')
    const answer = await call(cluster, 'POST', SECRET_PATH, secret('a'))
    expect([answer.code, answer.body.reason]).toEqual([409, 'AlreadyExists'])
  })

  test('must be RFC 1123 subdomains: lower case, digits, dashes and dots (422)', async () => {
    for (const name of ['srv_a', 'A', '-a', 'a'.repeat(254)]) {
      const answer = await call(cluster, 'POST', SECRET_PATH, secret(name))
      expect([name.slice(0, 5), answer.code, answer.body.reason]).toEqual([name.slice(0, 5), 422, 'Invalid'])
    }
  })

  test('generateName makes a name that is unique', async () => {
    const answer = () => call(cluster, 'POST', SECRET_PATH, { metadata: { generateName: 'a-' } })
    expect((await answer()).body.metadata.name).not.toBe((await answer()).body.metadata.name)
  })

  test('of what is not there answer NotFound (404)', async () => {
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect((await call(cluster, method, `${SECRET_PATH}/none`, method === 'GET' ? undefined : {})).code).toBe(404)
  })

  test('label values are 63 characters at most, and begin and end with a letter or digit (422)', async () => {
    for (const value of ['a'.repeat(64), '-a', 'a b']) {
      const answer = await call(cluster, 'POST', SECRET_PATH, secret('a', { metadata: { labels: { x: value } } }))
      expect([answer.code, answer.body.reason]).toEqual([422, 'Invalid'])
    }
  })
})

describe('finalizers', () => {
  test('a deleted object with finalizers stays, with a deletionTimestamp, until they are removed', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('a', { metadata: { finalizers: ['example.com/mine'] } }))
    const deleted = await call(cluster, 'DELETE', `${SECRET_PATH}/a`)
    expect(deleted.body.metadata.deletionTimestamp).toBeDefined()
    expect((await call(cluster, 'GET', `${SECRET_PATH}/a`)).code).toBe(200)
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { finalizers: null } })
    expect((await call(cluster, 'GET', `${SECRET_PATH}/a`)).code).toBe(404)
  })

  test('no new finalizers can be added if the object is being deleted (422)', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('a', { metadata: { finalizers: ['example.com/mine'] } }))
    await call(cluster, 'DELETE', `${SECRET_PATH}/a`)
    const patch = { metadata: { finalizers: ['example.com/mine', 'example.com/other'] } }
    expect((await call(cluster, 'PATCH', `${SECRET_PATH}/a`, patch)).code).toBe(422)
  })
})

describe('owner references', () => {
  test('dependents are deleted once their owner is gone (background cascading deletion)', async () => {
    const { metadata } = await make('owner')
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: metadata.uid }]
    await call(cluster, 'POST', SECRET_PATH, secret('owned', { metadata: { ownerReferences } }))
    await call(cluster, 'DELETE', `${SECRET_PATH}/owner`)
    expect((await call(cluster, 'GET', `${SECRET_PATH}/owned`)).code).toBe(404)
  })

  test('an object whose owner is not there is collected; the uid counts, not the name', async () => {
    await make('owner')
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: 'another' }]
    await call(cluster, 'POST', SECRET_PATH, secret('owned', { metadata: { ownerReferences } }))
    expect((await call(cluster, 'GET', `${SECRET_PATH}/owned`)).code).toBe(404)
  })
})

describe('deletion', () => {
  test('preconditions: another uid than the named one is a conflict (409)', async () => {
    await make('a')
    const answer = await call(cluster, 'DELETE', `${SECRET_PATH}/a`, { preconditions: { uid: 'another' } })
    expect([answer.code, answer.body.reason]).toEqual([409, 'Conflict'])
  })

  test('the grace of a pod can be shortened by a second deletion, never lengthened', async () => {
    await call(cluster, 'POST', SERVERS, gameServer('g'))
    time.pass(1_000)
    const ask = async (gracePeriodSeconds: number) =>
      (await call(cluster, 'DELETE', `${POD_PATH}/g`, { gracePeriodSeconds })).body.metadata.deletionGracePeriodSeconds
    expect([await ask(10), await ask(20), await ask(5)]).toEqual([10, 10, 5])
  })
})

describe('dry run', () => {
  test('goes through admission and validation, and nothing is stored', async () => {
    const good = await call(cluster, 'POST', `${SERVERS}?dryRun=All`, gameServer('g'))
    expect([good.code, good.body.status.state]).toEqual([201, 'PortAllocation'])
    const bad = await call(
      cluster,
      'POST',
      `${SERVERS}?dryRun=All`,
      gameServer('g', { spec: { template: { spec: { containers: [] } } } }),
    )
    expect(bad.code).toBe(422)
    expect(cluster.api.store.list(GAMESERVERS)).toEqual([])
  })
})

describe('immutable secrets', () => {
  const patch = (body: object) => call(cluster, 'PATCH', `${SECRET_PATH}/a`, body)
  const one = (stringData: object) => secret('a', { immutable: true, stringData })

  test('neither their data nor that they are can be changed (422); their metadata can, and they can be deleted', async () => {
    await call(cluster, 'POST', SECRET_PATH, one({ key: 'x' }))
    const changed = await patch({ stringData: { key: 'y' } })
    expect([changed.code, changed.body.reason]).toEqual([422, 'Invalid'])
    expect(changed.body.message).toBe(
      'Secret "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    )
    expect((await patch({ data: { other: 'eA==' } })).code).toBe(422)
    expect((await patch({ data: null })).code).toBe(422)
    expect((await patch({ immutable: null })).body.message).toMatch(/immutable: Forbidden/)
    expect((await call(cluster, 'PUT', `${SECRET_PATH}/a`, one({ key: 'y' }))).code).toBe(422)
    expect((await call(cluster, 'PUT', `${SECRET_PATH}/a`, one({ key: 'x' }))).code).toBe(200)
    expect((await patch({ metadata: { labels: { app: 'x' } } })).body.metadata.labels).toEqual({ app: 'x' })
    expect((await call(cluster, 'DELETE', `${SECRET_PATH}/a`)).code).toBe(200)
  })

  test('others can be changed, and made immutable', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('a', { stringData: { key: 'x' } }))
    expect((await patch({ stringData: { key: 'y' }, immutable: true })).body.data).toEqual({ key: 'eQ==' })
    expect((await patch({ stringData: { key: 'z' } })).code).toBe(422)
  })
})

describe('pods', () => {
  test('wait for the secrets that they mount', async () => {
    const spec = {
      template: {
        spec: {
          volumes: [{ name: 'v', secret: { secretName: 'late' } }],
          containers: [{ name: 'game', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/f', subPath: 'f' }] }],
        },
      },
    }
    await call(cluster, 'POST', SERVERS, gameServer('g', { spec }))
    time.pass(1_000)
    const phase = () => cluster.api.store.get(PODS, 'games', 'g').status.phase
    expect(phase()).toBe('Pending')
    await call(cluster, 'POST', SECRET_PATH, secret('late', { stringData: { f: 'x' } }))
    time.pass(1_000)
    expect(phase()).toBe('Running')
  })

  test('for which no node has room are Unschedulable, and scheduled when there is some', async () => {
    const [node] = cluster.kubelet.nodes
    if (node !== undefined) node.capacity = 1
    await call(cluster, 'POST', SERVERS, gameServer('a'))
    time.pass(1_000)
    await call(cluster, 'POST', SERVERS, gameServer('b'))
    time.pass(1_000)
    const pod = () => cluster.api.store.get(PODS, 'games', 'b')
    expect(pod().status.conditions[0]).toMatchObject({ reason: 'Unschedulable' })
    await call(cluster, 'DELETE', `${SERVERS}/a`)
    time.pass(1_000)
    expect(pod().status.phase).toBe('Running')
  })
})
