import { chmodSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idleRuntime, PODS, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { processRuntime } from '../../src/agones/testing/process-runtime'
import { call, gameServer, POD_PATH, SECRET_PATH, SERVERS, secret } from './api-client'
import { SteppedTime } from './stepped-time'

/* Each test states a rule in the words of Kubernetes' documentation. */

let time: SteppedTime
let cluster: TestCluster
/** Files mounted in containers, by pod: their content at the start, and after each change. */
let mounted: Map<string, Record<string, string>[]>

beforeEach(async () => {
  time = new SteppedTime()
  mounted = new Map()
  const idle = idleRuntime()
  cluster = await testCluster({
    time,
    runtime: {
      ...idle,
      start(pod, files, ended) {
        mounted.set(pod.metadata.uid, [Object.fromEntries(files)])
        return idle.start(pod, files, ended)
      },
      rewrite: ({ metadata }, files) => void mounted.get(metadata.uid)?.push(Object.fromEntries(files)),
    },
  })
})
afterEach(() => cluster.close())

const ITEM = { path: 'its.json', fieldRef: { fieldPath: "metadata.annotations['example.com/its']" } }

/** Makes a GameServer whose container has one volume. Returns a function that reads its mounted files. */
async function mounts(volume: object, mount: object = {}, metadata: object = {}) {
  const container = { name: 'game', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }
  const template = { metadata, spec: { volumes: [{ name: 'v', ...volume }], containers: [container] } }
  await call(cluster, 'POST', SERVERS, gameServer('g', { spec: { template } }))
  time.pass(1_000)
  return () => mounted.get(cluster.api.store.get(PODS, 'games', 'g').metadata.uid)
}
const annotate = async (value: string | null) => {
  await call(cluster, 'PATCH', `${POD_PATH}/g`, { metadata: { annotations: { 'example.com/its': value } } })
  time.pass(1_000)
}
const stateOf = () => cluster.api.store.get(PODS, 'games', 'g').status.containerStatuses[0].state
const stringData = { a: 'one', b: 'two' }

describe('a downwardAPI volume', () => {
  const downwardAPI = { items: [ITEM] }

  test('an annotation that the pod does not have is an empty file', async () => {
    expect((await mounts({ downwardAPI }))()).toEqual([{ '/v/its.json': '' }])
  })

  test('an annotation that is patched is written anew, once for each change, and no other change writes it', async () => {
    const found = await mounts({ downwardAPI })
    await annotate('{}')
    await call(cluster, 'PATCH', `${POD_PATH}/g`, { metadata: { labels: { other: 'yes' } } })
    time.pass(1_000)
    await annotate('{"a":1}')
    await annotate(null)
    expect(found()?.map((files) => files['/v/its.json'])).toEqual(['', '{}', '{"a":1}', ''])
  })

  test('what the template says is there from the start, and labels, name and uid can be told as well', async () => {
    const of = (path: string, fieldPath: string) => ({ path, fieldRef: { fieldPath } })
    const items = [ITEM, of('l', "metadata.labels['l']"), of('n', 'metadata.name'), of('u', 'metadata.uid')]
    const metadata = { labels: { l: 'x' }, annotations: { 'example.com/its': 'whole' } }
    const found = await mounts({ downwardAPI: { items } }, {}, metadata)
    const { uid } = cluster.api.store.get(PODS, 'games', 'g').metadata
    expect(found()).toEqual([{ '/v/its.json': 'whole', '/v/l': 'x', '/v/n': 'g', '/v/u': uid }])
  })

  test('mounted by a subPath it never changes', async () => {
    const found = await mounts({ downwardAPI }, { mountPath: '/v.json', subPath: 'its.json' })
    await annotate('{}')
    expect(found()).toEqual([{ '/v.json': '' }])
  })

  test('of a container that has ended it is not written any more', async () => {
    const found = await mounts({ downwardAPI }, {}, { finalizers: ['example.com/mine'] })
    await call(cluster, 'DELETE', `${POD_PATH}/g`)
    time.pass(60_000)
    await annotate('{}')
    expect(found()).toHaveLength(1)
  })
})

describe('a secret volume', () => {
  test('has a file of each key, or of those that its items name, by their paths', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('s', { stringData }))
    const items = [{ key: 'b', path: 'other' }]
    expect((await mounts({ secret: { secretName: 's' } }))()).toEqual([{ '/v/a': 'one', '/v/b': 'two' }])
    await call(cluster, 'DELETE', `${SERVERS}/g`)
    time.pass(60_000)
    expect((await mounts({ secret: { secretName: 's', items } }))()).toEqual([{ '/v/other': 'two' }])
  })

  test('whose items name a key that is missing keeps the container from being made until it is there', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('s', { stringData }))
    const found = await mounts({ secret: { secretName: 's', items: [{ key: 'c', path: 'c' }] } })
    time.pass(600_000)
    expect([found(), stateOf()]).toEqual([undefined, { waiting: { reason: 'ContainerCreating' } }])
    await call(cluster, 'DELETE', `${SECRET_PATH}/s`)
    await call(cluster, 'POST', SECRET_PATH, secret('s', { stringData: { c: 'three' } }))
    time.pass(1_000)
    expect([found(), Object.keys(stateOf())]).toEqual([[{ '/v/c': 'three' }], ['running']])
  })

  test('without items, a subPath that is no key is an empty folder, and the container starts', async () => {
    await call(cluster, 'POST', SECRET_PATH, secret('s', { stringData }))
    expect((await mounts({ secret: { secretName: 's' } }, { mountPath: '/c', subPath: 'c' }))()).toEqual([{}])
  })
})

describe('annotations', () => {
  test('hold 256 KiB in all (422)', async () => {
    await mounts({ downwardAPI: { items: [ITEM] } })
    const patch = (value: string) =>
      call(cluster, 'PATCH', `${POD_PATH}/g`, { metadata: { annotations: { 'example.com/its': value } } })
    expect((await patch('x'.repeat(200_000))).code).toBe(200)
    expect((await patch('x'.repeat(262_144))).code).toBe(422)
  })
})

describe('a process of a pod', () => {
  const isLinux = process.platform === 'linux'
  const soon = { timeout: 30_000 }
  test.runIf(isLinux)('reads a file that becomes whole at once, and cannot write it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'volume-rules-'))
    const program = join(folder, 'server')
    // The program reports each content that it reads, and whether it can write.
    const script = `#!${process.execPath}
const { readFileSync, writeFileSync, watch } = require('node:fs')
const { dirname } = require('node:path')
const file = process.env.FILE
let last
const look = () => {
  const text = readFileSync(file, 'utf8')
  if (text !== last) console.log('reads ' + text.length + ' ' + file)
  last = text
}
try { writeFileSync(file, 'changed'); console.log('writes') } catch (error) { console.log('cannot write') }
look()
setInterval(look, 1)
`
    chmodSync(folder, 0o755)
    writeFileSync(program, script, { mode: 0o755 })
    const runtime = processRuntime(() => ({ folder, program: 'server' }))
    const files = (text: string) => new Map([['/v/its.json', text]])
    const container = {
      name: 'game',
      image: 'i',
      env: [{ name: 'FILE', value: '/v/its.json' }],
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    }
    const pod = { metadata: { uid: 'uid-1' }, spec: { containers: [container] } }
    const lines = () => runtime.log('uid-1').map(({ text }) => text)
    try {
      expect(runtime.start(pod as never, files(''), () => {})).toBeUndefined()
      await expect.poll(lines, soon).toEqual(['cannot write', expect.stringMatching(/^reads 0 /)])
      const place = lines()[1]?.slice('reads 0 '.length) ?? ''
      for (const size of [1_000_000, 2_000_000]) {
        runtime.rewrite(pod as never, files('x'.repeat(size)))
        await expect.poll(() => lines().at(-1), soon).toMatch(`reads ${size} `)
      }
      expect(lines()).toHaveLength(4)
      expect([readlinkSync(place), lstatSync(place).isSymbolicLink()]).toEqual(['..data/its.json', true])
      expect(readFileSync(place, 'utf8')).toHaveLength(2_000_000)
    } finally {
      runtime.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
