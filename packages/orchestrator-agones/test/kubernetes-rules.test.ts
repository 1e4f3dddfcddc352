import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fields, GAMESERVERS, PODS, SECRETS, type TestCluster, testCluster } from '../src/testing/index'
import { call, gameServer, POD_PATH, SECRET_PATH, SERVERS, secret, watch } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each rule in the words of Kubernetes' own documentation. */

let time: SteppedTime
let cluster: TestCluster
const streams = new AbortController()

beforeEach(async () => {
  time = new SteppedTime()
  cluster = await testCluster({ time })
})
afterEach(() => cluster.close())

/** The next event of a watch. */
async function next(events: AsyncGenerator<Fields>): Promise<Fields | undefined> {
  const { value, done } = await events.next()
  return done ? undefined : value
}

const watching = (query: string, path = SECRET_PATH) => watch(cluster, `${path}?watch=true&${query}`, streams.signal)
const make = async (name: string, labels: Record<string, string> = {}) =>
  (await call(cluster, 'POST', SECRET_PATH, secret(name, { metadata: { labels } }))).body
const listed = async (query = '') => (await call(cluster, 'GET', `${SECRET_PATH}${query}`)).body

describe('resource versions', () => {
  test('are changed every time an object is changed, and by a write that changes nothing not', async () => {
    const made = await make('a')
    const patch = (value: string) => call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { x: value } } })
    const [first, again, second] = [await patch('1'), await patch('1'), await patch('2')]
    const versions = [made, first.body, again.body, second.body].map(({ metadata }) => Number(metadata.resourceVersion))
    expect(versions[1]).toBeGreaterThan(versions[0] ?? 0)
    expect(versions[2]).toBe(versions[1])
    expect(versions[3]).toBeGreaterThan(versions[2] ?? 0)
  })

  test('a write that names another version than the stored one is a conflict (409) and changes nothing', async () => {
    const { metadata } = await make('a')
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { by: 'another' } } })
    const late = { ...secret('a'), metadata: { ...metadata, labels: { by: 'me' } } }
    const answer = await call(cluster, 'PUT', `${SECRET_PATH}/a`, late)
    expect([answer.code, answer.body.reason]).toEqual([409, 'Conflict'])
    expect((await call(cluster, 'GET', `${SECRET_PATH}/a`)).body.metadata.labels).toEqual({ by: 'another' })
  })

  test('a list has the version that a watch goes on from without a gap', async () => {
    await make('a')
    const { metadata, items } = await listed()
    expect(items).toHaveLength(1)
    const events = watching(`resourceVersion=${metadata.resourceVersion}`)
    await make('b')
    expect(await next(events)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } })
  })
})

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

describe('label selectors', () => {
  test('equality, inequality, sets and existence, all of which must hold', async () => {
    await make('a', { app: 'x', tier: 'one' })
    await make('b', { app: 'x', tier: 'two' })
    await make('c', { app: 'y' })
    const names = async (selector: string) =>
      (await listed(`?labelSelector=${encodeURIComponent(selector)}`)).items.map(
        (one: { metadata: { name: string } }) => one.metadata.name,
      )
    expect(await names('app=x')).toEqual(['a', 'b'])
    expect(await names('app!=x')).toEqual(['c'])
    expect(await names('app=x,tier in (one, three)')).toEqual(['a'])
    expect(await names('tier notin (one)')).toEqual(['b', 'c'])
    expect(await names('tier')).toEqual(['a', 'b'])
    expect(await names('!tier')).toEqual(['c'])
  })
})

describe('limit and continue', () => {
  const names = ({ items }: Fields): string[] => items.map((one: Fields) => one.metadata.name)
  const rest = ({ metadata }: Fields, limit = 2) => call(cluster, 'GET', pageAt(metadata.continue, limit))
  const pageAt = (token: string, limit = 2) => `${SECRET_PATH}?limit=${limit}&continue=${encodeURIComponent(token)}`

  test('a list comes in pages, in the order of names; the last one names no continue', async () => {
    for (const name of ['c', 'a', 'd', 'e', 'b']) await make(name)
    const first = await listed('?limit=2')
    const second = (await rest(first)).body
    const third = (await rest(second)).body
    expect([first, second, third].map(names)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(third.metadata.continue).toBeUndefined()
  })

  test('continued, a list is a consistent snapshot: nothing that was created, modified or deleted after its first page is in it', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await make(name)
    const whole = await listed()
    const first = await listed('?limit=1')
    await make('aa')
    await make('e')
    await call(cluster, 'PATCH', `${SECRET_PATH}/b`, { metadata: { labels: { late: 'yes' } } })
    await call(cluster, 'DELETE', `${SECRET_PATH}/c`)
    await call(cluster, 'DELETE', `${SECRET_PATH}/d`)
    await make('d', { again: 'yes' })
    const { body } = await rest(first, 10)
    expect([...first.items, ...body.items]).toEqual(whole.items)
    // A watch goes on from what the list shows, whatever came between its pages.
    expect(body.metadata.resourceVersion).toBe(whole.metadata.resourceVersion)
  })

  test('a page of a selector holds what was selected at its version', async () => {
    for (const name of ['a', 'b', 'c']) await make(name, { app: 'x' })
    const first = await listed('?limit=1&labelSelector=app%3Dx')
    await call(cluster, 'PATCH', `${SECRET_PATH}/b`, { metadata: { labels: { app: 'y' } } })
    const answer = await call(cluster, 'GET', `${pageAt(first.metadata.continue)}&labelSelector=app%3Dx`)
    expect(names(answer.body)).toEqual(['b', 'c'])
  })

  test('a token that is too old answers 410 ResourceExpired, with one for the rest as it is now', async () => {
    for (const name of ['a', 'b', 'c']) await make(name)
    const first = await listed('?limit=1')
    await call(cluster, 'DELETE', `${SECRET_PATH}/b`)
    await make('d')
    cluster.api.store.compact()
    const { code, body } = await rest(first)
    expect([code, body.reason]).toEqual([410, 'Expired'])
    expect(body.message).toMatch(/^The provided continue parameter is too old/)
    const inconsistent = (await rest(body, 10)).body
    expect(names(inconsistent)).toEqual(['c', 'd'])
    expect(inconsistent.metadata.resourceVersion).toBe((await listed()).metadata.resourceVersion)
  })

  test('a token that nobody gave is a BadRequest (400)', async () => {
    expect((await call(cluster, 'GET', pageAt('2'))).code).toBe(400)
  })
})

describe('watch', () => {
  test('without a version begins with what is there, as ADDED', async () => {
    await make('a')
    expect(await next(watching(''))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
  })

  test('tells of what leaves a selector as DELETED, and of what enters it as ADDED', async () => {
    const { metadata } = await listed()
    const events = watching(`labelSelector=app%3Dx&resourceVersion=${metadata.resourceVersion}`)
    await make('a', { app: 'y' })
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { app: 'x' } } })
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { app: 'z' } } })
    expect([(await next(events))?.type, (await next(events))?.type]).toEqual(['ADDED', 'DELETED'])
  })

  test('of an older version than is kept answers 410 Gone: by its code, or by an ERROR in the stream', async () => {
    const { metadata } = await listed()
    await make('a')
    cluster.api.store.compact()
    const old = `resourceVersion=${metadata.resourceVersion}`
    expect(await next(watching(old))).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    cluster.server.faults.expiredAs = 'status'
    await expect(next(watching(old))).rejects.toThrow(/^410/)
  })

  test('tells in BOOKMARKs how far it has come, once a minute, if asked for', async () => {
    const { metadata } = await listed()
    const events = watching(
      `allowWatchBookmarks=true&labelSelector=app%3Dnone&resourceVersion=${metadata.resourceVersion}`,
    )
    const first = next(events)
    await expect.poll(() => cluster.server.watches).toBe(1)
    await make('a', { app: 'other' })
    time.pass(60_000)
    const { type, object } = (await first) ?? {}
    expect([type, object?.metadata.resourceVersion]).toEqual(['BOOKMARK', (await listed()).metadata.resourceVersion])
  })

  test('ends by itself after timeoutSeconds', async () => {
    const events = watching('timeoutSeconds=30')
    const end = next(events)
    await expect.poll(() => cluster.server.watches).toBe(1)
    time.pass(30_000)
    expect(await end).toBeUndefined()
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

describe('access', () => {
  test('what no rule allows is denied (403): verbs, resources and subresources each by themselves', async () => {
    cluster.api.rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }]
    expect((await listed()).items).toEqual([])
    const denied = await call(cluster, 'POST', SECRET_PATH, secret('a'))
    expect([denied.code, denied.body.reason]).toEqual([403, 'Forbidden'])
    expect((await call(cluster, 'GET', `${SECRET_PATH}?watch=true`)).code).toBe(403)
    expect((await call(cluster, 'GET', POD_PATH)).code).toBe(403)
    cluster.api.rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    expect((await call(cluster, 'GET', `${POD_PATH}/p/log`)).code).toBe(403)
    expect((await call(cluster, 'GET', `${POD_PATH}/p`)).code).toBe(404)
  })

  test('a SelfSubjectAccessReview tells whether the caller may', async () => {
    cluster.api.rules = [{ apiGroups: ['agones.dev'], resources: ['gameservers'], verbs: ['create'] }]
    const may = async (verb: string) => {
      const resourceAttributes = { verb, group: 'agones.dev', resource: 'gameservers', namespace: 'games' }
      const answer = await call(cluster, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes },
      })
      return answer.body.status.allowed
    }
    expect([await may('create'), await may('delete')]).toEqual([true, false])
  })

  test('who has no token is Unauthorized (401)', async () => {
    expect((await call(cluster, 'GET', SECRET_PATH, undefined, { authorization: 'Bearer wrong' })).code).toBe(401)
  })

  test('a quota refuses what exceeds it as Forbidden (403), in words of its own', async () => {
    cluster.api.quotas.set('count/gameservers.agones.dev', 1)
    await call(cluster, 'POST', SERVERS, gameServer('a'))
    const answer = await call(cluster, 'POST', SERVERS, gameServer('b'))
    expect([answer.code, answer.body.reason]).toEqual([403, 'Forbidden'])
    expect(answer.body.message).toMatch(
      /exceeded quota: games, requested: count\/gameservers.agones.dev=1, used: .*=1, limited: .*=1/,
    )
  })

  test('a secret is 1 MiB at most (422)', async () => {
    const stringData = { a: 'x'.repeat(1_048_577) }
    expect((await call(cluster, 'POST', SECRET_PATH, secret('a', { stringData }))).code).toBe(422)
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

describe('faults', () => {
  test('lost: it is carried out, and nothing is answered; down: neither; throttled: 429 with retry-after', async () => {
    const { faults } = cluster.server
    faults.judge = () => 'lost'
    await expect(make('lost')).rejects.toThrow()
    faults.judge = () => 'down'
    await expect(make('down')).rejects.toThrow()
    faults.judge = () => 'throttle'
    const answer = await call(cluster, 'GET', SECRET_PATH)
    expect([answer.code, answer.headers.get('retry-after')]).toEqual([429, '1'])
    faults.clear()
    expect(cluster.api.store.list(SECRETS).map(({ metadata }) => metadata.name)).toEqual(['lost'])
  })

  test('a watch is cut before or after any event', async () => {
    const { metadata } = await listed()
    await make('a')
    await make('b')
    const seen = async () => {
      const all: string[] = []
      try {
        for await (const { object } of watching(`resourceVersion=${metadata.resourceVersion}`))
          all.push(object.metadata.name)
      } catch {} // it was cut
      return all
    }
    cluster.server.faults.judgeEvent = (index) => (index === 1 ? 'before' : 'pass')
    expect(await seen()).toEqual(['a'])
    cluster.server.faults.judgeEvent = (index) => (index === 1 ? 'after' : 'pass')
    expect(await seen()).toEqual(['a', 'b'])
  })
})
