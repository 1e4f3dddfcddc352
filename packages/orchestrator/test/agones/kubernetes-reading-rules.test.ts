import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fields, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { call, listSecrets, makeSecret, nextEvent, SECRET_PATH, secret, watchSecrets } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each test states a rule in the words of Kubernetes' documentation. */

let time: SteppedTime
let cluster: TestCluster

beforeEach(async () => {
  time = new SteppedTime()
  cluster = await testCluster({ time })
})
afterEach(() => cluster.close())

const streams = new AbortController()
const watching = (query: string, path?: string) => watchSecrets(cluster, query, streams.signal, path)
const make = (name: string, labels?: Record<string, string>) => makeSecret(cluster, name, labels)
const listed = (query?: string) => listSecrets(cluster, query)

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
    expect(await nextEvent(events)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } })
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
    // A watch continues from the version of the list, even if objects changed between its pages.
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
    expect(await nextEvent(watching(''))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
  })

  test('tells of what leaves a selector as DELETED, and of what enters it as ADDED', async () => {
    const { metadata } = await listed()
    const events = watching(`labelSelector=app%3Dx&resourceVersion=${metadata.resourceVersion}`)
    await make('a', { app: 'y' })
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { app: 'x' } } })
    await call(cluster, 'PATCH', `${SECRET_PATH}/a`, { metadata: { labels: { app: 'z' } } })
    expect([(await nextEvent(events))?.type, (await nextEvent(events))?.type]).toEqual(['ADDED', 'DELETED'])
  })

  test('of an older version than is kept answers 410 Gone: by its code, or by an ERROR in the stream', async () => {
    const { metadata } = await listed()
    await make('a')
    cluster.api.store.compact()
    const old = `resourceVersion=${metadata.resourceVersion}`
    expect(await nextEvent(watching(old))).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    cluster.server.faults.expiredAs = 'status'
    await expect(nextEvent(watching(old))).rejects.toThrow(/^410/)
  })

  test('tells in BOOKMARKs how far it has come, once a minute, if asked for', async () => {
    const { metadata } = await listed()
    const events = watching(
      `allowWatchBookmarks=true&labelSelector=app%3Dnone&resourceVersion=${metadata.resourceVersion}`,
    )
    const first = nextEvent(events)
    await expect.poll(() => cluster.server.watches).toBe(1)
    await make('a', { app: 'other' })
    time.pass(60_000)
    const { type, object } = (await first) ?? {}
    expect([type, object?.metadata.resourceVersion]).toEqual(['BOOKMARK', (await listed()).metadata.resourceVersion])
  })

  test('ends by itself after timeoutSeconds', async () => {
    const events = watching('timeoutSeconds=30')
    const end = nextEvent(events)
    await expect.poll(() => cluster.server.watches).toBe(1)
    time.pass(30_000)
    expect(await end).toBeUndefined()
  })
})
