import { afterEach, expect, test } from 'vitest'
import { KubeClient } from '../../src/agones/kube/client'
import type { Connection, KubeCall } from '../../src/agones/kube/connection'
import { refusalOf, Unreachable } from '../../src/agones/kube/errors'
import { Reflector } from '../../src/agones/kube/reflector'
import { SECRETS } from '../../src/agones/kube/resources'
import type { SecretItem } from '../../src/agones/kube/shapes'
import { clusterWithoutSocket } from '../../src/agones/testing/cluster'
import { type KubeObject, SECRETS as STORED } from '../../src/agones/testing/kubernetes/objects'
import { expired } from '../../src/agones/testing/kubernetes/status'
import { secret } from './api-client'
import { directConnection } from './direct-connection'
import { passing, pausesOf } from './stepped-pauses'
import { SteppedTime } from './stepped-time'

const ending: (() => unknown)[] = []
afterEach(() => {
  for (const end of ending.splice(0).reverse()) end()
})

const SECOND = 1_000

/**
 * Makes a reflector of objects that only the test changes. The test lets time pass, and decides the outcome of calls.
 */
async function setting(between: (direct: Connection) => Partial<Connection> = () => ({})) {
  const time = new SteppedTime()
  const { api, requests, stop } = clusterWithoutSocket({ time })
  const calls: KubeCall[] = []
  const direct = directConnection(requests, (call) => calls.push(call))
  const client = new KubeClient({ ...direct, ...between(direct) }, 'games', pausesOf(time))
  const heard: string[] = []
  const troubles: string[] = []
  const reflector = new Reflector<SecretItem>(client, SECRETS, 'app=game', pausesOf(time), {
    changed: ({ metadata }, isGone) => heard.push(`${isGone ? '-' : '+'}${metadata.name}`),
    trouble: (words) => troubles.push(words),
  })
  ending.push(stop, () => reflector.stop())
  const { pass } = passing(time)
  const make = (name: string): SecretItem =>
    api.store.create(STORED, 'games', secret(name, { metadata: { labels: { app: 'game' } } }))
  const write = (name: string, annotations: Record<string, string>) =>
    api.store.update(STORED, 'games', name, (one: KubeObject) => ({
      ...one,
      metadata: { ...one.metadata, annotations },
    }))
  const remove = (name: string) => void api.store.delete(STORED, 'games', name)
  const lists = () => calls.filter(({ path }) => !path.includes('watch=true')).length
  const names = () => reflector.all.map(({ metadata }) => metadata.name).sort()
  const { faults } = requests
  const cut = () => requests.cutWatches()
  return { reflector, client, faults, cut, api, pass, make, write, remove, lists, names, heard, troubles }
}

test('what cannot be watched any more is listed, again and again, and not too often', async () => {
  const { reflector, faults, cut, pass, make, remove, lists, names } = await setting()
  make('stays')
  make('ends')
  reflector.start()
  await pass(SECOND)
  expect(names()).toEqual(['ends', 'stays'])
  faults.judge = ({ verb }) => (verb === 'watch' ? 'down' : 'pass')
  cut()
  remove('ends')
  await pass(40 * SECOND)
  expect(names()).toEqual(['stays'])
  const before = lists()
  make('comes')
  await pass(300 * SECOND)
  expect(names()).toEqual(['comes', 'stays'])
  expect(lists() - before).toBeGreaterThanOrEqual(8)
  expect(lists() - before).toBeLessThanOrEqual(10)
  expect(reflector.silentMs()).toBeLessThan(40 * SECOND)
  // The reflector watches again once the cluster accepts watches.
  faults.clear()
  await pass(6 * SECOND)
  remove('comes')
  await pass(SECOND)
  expect(names()).toEqual(['stays'])
})

test('a right to watch that the role lost leaves nothing in memory', async () => {
  const { reflector, api, cut, pass, make, remove, names } = await setting()
  make('ends')
  reflector.start()
  await pass(SECOND)
  api.rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }]
  cut()
  remove('ends')
  await pass(40 * SECOND)
  expect(names()).toEqual([])
})

test('a watch whose call is never answered is not waited for', async () => {
  let isDead = false
  const never = new Promise<never>(() => {})
  const { reflector, cut, pass, make, remove, names, troubles } = await setting(({ stream }) => ({
    stream: (call) => (isDead ? never : stream(call)),
  }))
  make('ends')
  reflector.start()
  await pass(SECOND)
  isDead = true
  cut()
  remove('ends')
  await pass(61 * SECOND)
  expect(names()).toEqual([])
  expect(troubles).toContain('it does not open within 15 s, and is not waited for any more')
  isDead = false
  await pass(30 * SECOND)
  make('comes')
  await pass(SECOND)
  expect(names()).toEqual(['comes'])
})

test('a watch that opens and tells nothing, through a proxy that holds it back, leaves nothing in memory', async () => {
  let isHeldBack = false
  const { reflector, cut, pass, make, remove, names } = await setting(({ stream }) => ({
    stream: async (call) => (isHeldBack ? silence(call) : stream(call)),
  }))
  make('ends')
  reflector.start()
  await pass(SECOND)
  isHeldBack = true
  cut()
  await pass(SECOND)
  remove('ends')
  await pass(80 * SECOND)
  expect(names()).toEqual([])
})

async function* silence({ signal }: KubeCall): AsyncGenerator<Buffer> {
  await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut')), { once: true }))
}

test('a watch that ends at once, again and again, is asked for less and less often', async () => {
  let watches = 0
  const { reflector, pass, lists } = await setting(() => ({
    stream: async () => {
      watches++
      return nothing()
    },
  }))
  reflector.start()
  await pass(60 * SECOND)
  expect(lists()).toBeLessThanOrEqual(3)
  expect(watches).toBeLessThanOrEqual(20)
})

async function* nothing(): AsyncGenerator<Buffer> {}

test('it is silent since it heard something, and not only since its watch is closed', async () => {
  const { reflector, pass, make, write } = await setting()
  expect(reflector.silentMs()).toBe(Number.POSITIVE_INFINITY)
  make('one')
  reflector.start()
  await pass(20 * SECOND)
  expect(reflector.silentMs()).toBe(20 * SECOND)
  write('one', { a: 'b' })
  await pass(0)
  expect(reflector.silentMs()).toBe(0)
  // Within this time, the cluster sends its next bookmark.
  await pass(45 * SECOND)
  expect(reflector.silentMs()).toBe(5 * SECOND)
})

test('what a list finds missing does not come back with an answer that is late', async () => {
  const { reflector, client, api, cut, pass, make, remove, names, heard } = await setting()
  make('known')
  reflector.start()
  await pass(SECOND)
  const answers = (await client.list<SecretItem>(SECRETS, 'app=game')).items
  cut()
  remove('known')
  api.store.compact()
  await pass(SECOND)
  expect(names()).toEqual([])
  for (const one of answers) reflector.put(one)
  expect(names()).toEqual([])
  expect(heard).toEqual(['+known', '-known'])
})

test('what came and went while nobody watched does not come with an answer that is late', async () => {
  const { reflector, client, api, cut, pass, make, remove, names } = await setting()
  reflector.start()
  await pass(SECOND)
  cut()
  make('never-heard-of')
  const answers = (await client.list<SecretItem>(SECRETS, 'app=game')).items
  remove('never-heard-of')
  api.store.compact()
  await pass(SECOND)
  for (const one of answers) reflector.put(one)
  expect(names()).toEqual([])
})

test('what this service makes is known at once, also before the watch has told it, and across a list', async () => {
  const { reflector, faults, cut, pass, make, names } = await setting()
  reflector.start()
  await pass(SECOND)
  faults.judge = () => 'down'
  cut()
  reflector.put(make('mine'))
  expect(names()).toEqual(['mine'])
  faults.clear()
  await pass(10 * SECOND)
  expect(names()).toEqual(['mine'])
})

test('a version that is too old is listed anew at once, and one that always is, after longer and longer', async () => {
  const { reflector, api, cut, pass, make, remove, lists, names, faults } = await setting()
  make('one')
  reflector.start()
  await pass(SECOND)
  cut()
  remove('one')
  api.store.compact()
  await pass(200)
  expect(names()).toEqual([])
  for (const expiredAs of ['event', 'status'] as const) {
    faults.expiredAs = expiredAs
    const before = lists()
    // Simulates a server for which every version is too old.
    const since = api.store.since.bind(api.store)
    api.store.since = (version) => {
      throw expired(version, 0)
    }
    cut()
    await pass(120 * SECOND)
    expect(lists() - before).toBeLessThanOrEqual(14)
    api.store.since = since
    await pass(31 * SECOND)
  }
  make('later')
  await pass(SECOND)
  expect(names()).toEqual(['later'])
})

test('a list whose pages expire while they are read is not read again without a pause', async () => {
  let tries = 0
  const { reflector, pass } = await setting(() => ({
    send: async () => {
      tries++
      const text = JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' })
      return { code: 410, text, retryAfter: undefined }
    },
  }))
  reflector.start()
  await pass(60 * SECOND)
  // The client tries each list three times; in the end, a list is made every 5 s.
  expect(tries).toBeLessThanOrEqual(3 * 18)
})

test('versions that are no numbers are not compared: the watch decides', async () => {
  const versions = ['a', 'c', 'b']
  const one = (resourceVersion: string, is: string) => ({
    metadata: { name: 'one', uid: '1', resourceVersion },
    data: { is },
  })
  const line = (index: number, is: string) =>
    Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object: one(versions[index] ?? '', is) })}\n`)
  let isOpened = false
  const { reflector, pass } = await setting(() => ({
    send: async () => ({
      code: 200,
      text: JSON.stringify({ metadata: { resourceVersion: 'a' }, items: [one('a', 'listed')] }),
      retryAfter: undefined,
    }),
    stream: async (call) => {
      if (isOpened) throw new Unreachable('once is enough')
      isOpened = true
      return chunks([line(1, 'changed'), line(2, 'changed again')], call)
    },
  }))
  reflector.start()
  await pass(SECOND)
  expect(reflector.byName('one')?.data?.is).toBe('changed again')
})

async function* chunks(all: readonly Buffer[], call: KubeCall): AsyncGenerator<Buffer> {
  yield* all
  yield* silence(call)
}

test('a refusal is told, and what it asks for is kept to', async () => {
  const { reflector, pass, troubles } = await setting(() => ({
    stream: async () => {
      throw refusalOf(429, '', '4')
    },
  }))
  reflector.start()
  await pass(9 * SECOND)
  expect(troubles.length).toBeGreaterThanOrEqual(2)
  expect(troubles.length).toBeLessThanOrEqual(3)
})
