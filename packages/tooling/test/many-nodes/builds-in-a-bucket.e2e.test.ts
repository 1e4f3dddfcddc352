import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { keysIn, type S3Server, startTestStore } from '@matchyard/build-store/testing'
import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { sendLargeArchive, writeLargeArchive } from '../../src/many-nodes/large-archive'
import type { NodeProcess } from '../../src/many-nodes/node-process'
import { figuresOf } from '../../src/many-nodes/process-figures'
import { secretsIn } from '../../src/many-nodes/store-secrets'

const MIB = 1024 ** 2
/** Under `npm run prove -- s3` the archive has 1 GiB, and the outage takes 60 s. */
const ARCHIVE_BYTES = Number(process.env.MATCHYARD_S3_MIB ?? 64) * MIB
const OUTAGE_SECONDS = Number(process.env.MATCHYARD_S3_OUTAGE_SECONDS ?? 6)
const UPLOADS = '/v1/builds/upload-url'
const SERVERS = '/v1/servers'
const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]

interface UploadBody {
  readonly build_id: string
  readonly upload_url: string
}
interface Announced {
  readonly size: number
  readonly sha256: string
}
interface ServerBody {
  readonly instance_id: string
  readonly status: string
  readonly stop_reason: string | null
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('two nodes with folders of their own, and builds in a bucket', () => {
  let store: S3Server
  let cluster: Cluster
  const folders: string[] = []
  let scratch: string
  /** Calls by node and path, with the request id under which the node logs the call. */
  const calls: { readonly node: NodeProcess; readonly path: string; readonly requestId: string }[] = []
  const uploadUrls: string[] = []

  beforeAll(async () => {
    store = await startTestStore()
    scratch = mkdtempSync(join(tmpdir(), 'large-archive-'))
    const { accessKeyId, secretAccessKey, sessionToken } = store.credentials
    const environment = {
      BUILD_STORE: 's3',
      S3_BUCKET: store.bucket,
      S3_ENDPOINT: store.endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      ...(sessionToken === undefined ? {} : { S3_SESSION_TOKEN: sessionToken }),
      LOG_LEVEL: 'debug',
      NODE_LOST_AFTER_SECONDS: '3600',
    }
    const prepare = (folder: string) => void folders.push(folder)
    cluster = await startCluster(2, { environment, prepare })
    for (const node of cluster.nodes) node.keepWholeLog()
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    await store?.close()
    await rm(scratch, { recursive: true, force: true })
  })

  const backend = async <T = Record<string, unknown>>(
    node: NodeProcess,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const answer = await node.call<T>({ method, path, key: cluster.serverKey, body })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    if (method === 'POST') calls.push({ node, path, requestId: String(answer.headers['x-request-id']) })
    return answer.body
  }
  const ready = (node: NodeProcess, buildId: string, withinMs = 90_000) =>
    eventually(
      () => backend(node, 'GET', `/v1/builds/${buildId}`),
      ({ status }) => status !== 'uploading' && status !== 'processing',
      withinMs,
    )
  const announce = async (
    node: NodeProcess,
    name: string,
    { size, sha256 }: Announced,
    executable_path = 'server.mjs',
  ) => {
    const made = await backend<UploadBody>(node, 'POST', UPLOADS, { name, executable_path, size, sha256 })
    expect(made.upload_url).toContain(`${store.endpoint}/${store.bucket}/uploads/`)
    uploadUrls.push(made.upload_url)
    return made
  }
  const send = async (url: string, body: Uint8Array<ArrayBuffer>) => (await fetch(url, { method: 'PUT', body })).status
  const upload = async (node: NodeProcess, name: string) => {
    const archive = new Uint8Array(await packGameServer())
    const made = await announce(node, name, { size: archive.length, sha256: sha256Of(archive) })
    expect(await send(made.upload_url, archive)).toBe(200)
    expect(await ready(node, made.build_id)).toMatchObject({ status: 'ready', error_message: null })
    return made
  }
  const launch = (node: NodeProcess, version_tag: string) =>
    backend<ServerBody>(node, 'POST', SERVERS, { version_tag, network_ports })
  const server = (node: NodeProcess, id: string) => backend<ServerBody>(node, 'GET', `/v1/servers/${id}`)
  const running = (node: NodeProcess, id: string) =>
    eventually(
      () => server(node, id),
      ({ status }) => status !== 'launching',
      60_000,
    )

  it('each launches what was uploaded through the other', { timeout: 300_000 }, async () => {
    const [first, second] = [cluster.node(0), cluster.node(1)]
    for (const [name, uploader, launcher, folder] of [
      ['arena', first, second, folders[1]],
      ['island', second, first, folders[0]],
    ] as const) {
      await upload(uploader, name)
      await uploader.end('SIGTERM')
      const { instance_id } = await launch(launcher, name)
      expect(await running(launcher, instance_id)).toMatchObject({ status: 'running', stop_reason: null })
      expect((await cluster.storage.get('server', instance_id))?.nodeId).toBe(launcher.nodeId)
      expect(readdirSync(join(folder ?? '', 'build-cache')).length).toBeGreaterThan(0)
      // Nodes share the folder `builds` only in clusters without a bucket.
      expect(readdirSync(join(folder ?? '', 'builds'))).toEqual([])
      await uploader.start()
    }
  })

  it(`waits with a launch while the bucket is away for ${OUTAGE_SECONDS} s, and goes on`, {
    timeout: 300_000,
  }, async () => {
    const [first, second] = [cluster.node(0), cluster.node(1)]
    await upload(first, 'tower')
    await first.end('SIGTERM')
    await second.end('SIGTERM')
    // The second node checked this archive, so its cache has it.
    await rm(join(folders[1] ?? '', 'build-cache'), { recursive: true, force: true })
    await second.start()
    await store.stop()
    const begun = performance.now()
    const { instance_id } = await launch(second, 'tower')
    await eventually(
      () => second.lastWords,
      (words) => words.includes('a launch waits'),
      30_000,
    )
    // A build that is in the node's cache is launched during the outage.
    const known = await launch(second, 'arena')
    expect(await running(second, known.instance_id)).toMatchObject({ status: 'running' })
    const left = OUTAGE_SECONDS * 1_000 - (performance.now() - begun)
    if (left > 0) await wait(left)
    expect(await server(second, instance_id)).toMatchObject({ status: 'launching' })
    await store.start()
    const away = (performance.now() - begun) / 1_000
    expect(await running(second, instance_id)).toMatchObject({ status: 'running', stop_reason: null })
    const after = (performance.now() - begun) / 1_000 - away
    console.log(`running ${after.toFixed(1)} s after the bucket was back, which was away for ${away.toFixed(1)} s`)
    expect((await cluster.storage.get('server', instance_id))?.launchAttempts).toBe(1)
    await first.start()
  })

  const bothUp = async () => {
    for (const node of cluster.nodes) if (!node.isUp) await node.start()
    await store.start()
  }

  it('takes no archive of another hash than was announced', { timeout: 120_000 }, async () => {
    await bothUp()
    const [first, second] = [cluster.node(0), cluster.node(1)]
    const archive = new Uint8Array(await packGameServer())
    const other = archive.map((byte, at) => (at === archive.length - 1 ? byte ^ 1 : byte))
    const [announced, sent] = [sha256Of(archive), sha256Of(other)]
    const { build_id, upload_url } = await announce(first, 'forged', { size: archive.length, sha256: announced })
    // A store that verifies the checksum in the URL would refuse the archive here. These two stores leave the check to
    // the service.
    expect(await send(upload_url, other)).toBe(200)
    expect(await ready(second, build_id)).toMatchObject({
      status: 'failed',
      error_message: `UPLOAD_REJECTED: the archive has the SHA-256 ${sent}, but the request for its upload URL gave ${announced}`,
    })
    const left = async () => (await keysIn(store)).filter((key) => key.includes(build_id) || key.includes(sent))
    await eventually(left, (keys) => keys.length === 0)
    // The announced archive is refused now as well: the first upload was the build's only one.
    expect(await send(upload_url, archive)).toBe(200)
    await wait(2_000)
    expect(await backend(first, 'GET', `/v1/builds/${build_id}`)).toMatchObject({ status: 'failed' })
    expect((await keysIn(store)).filter((key) => key.startsWith('builds/') && key.includes(build_id))).toEqual([])
  })

  it('takes no archive of another size than was announced, and then the one that was', {
    timeout: 120_000,
  }, async () => {
    await bothUp()
    const [first, second] = [cluster.node(0), cluster.node(1)]
    const archive = new Uint8Array(await packGameServer())
    const announced = { size: archive.length, sha256: sha256Of(archive) }
    const { build_id, upload_url } = await announce(second, 'cut', announced)
    // The URL signs the length, so the store itself refuses the upload. The URL stays valid.
    for (const other of [archive.slice(0, -1), new Uint8Array([...archive, 0])])
      expect(await send(upload_url, other)).toBe(403)
    expect(await keysIn(store)).not.toContain(`uploads/${build_id}`)
    expect(await backend(first, 'GET', `/v1/builds/${build_id}`)).toMatchObject({ status: 'uploading' })
    expect(await send(upload_url, archive)).toBe(200)
    expect(await ready(first, build_id)).toMatchObject({ status: 'ready', error_message: null })
    expect((await keysIn(store)).filter((key) => key.includes(build_id))).toEqual([
      `builds/${build_id}/${announced.sha256}.zip`,
    ])
  })

  const isLinux = existsSync('/proc/self/io')
  it.skipIf(!isLinux)(
    `takes ${ARCHIVE_BYTES / MIB} MiB without a byte of it through the service`,
    { timeout: 900_000 },
    async () => {
      await bothUp()
      const nodes = [cluster.node(0), cluster.node(1)]
      const [first] = nodes as [NodeProcess]
      const archive = await writeLargeArchive(join(scratch, 'large.zip'), ARCHIVE_BYTES)
      const figures = () => nodes.map(({ pid }) => figuresOf(pid))
      const before = figures()
      const made = await announce(first, 'large', { size: archive.bytes, sha256: archive.sha256 }, 'server')
      expect(await sendLargeArchive(made.upload_url, archive)).toBe(200)
      const sent = figures()
      expect(await ready(first, made.build_id, 600_000)).toMatchObject({ status: 'ready', error_message: null })
      const checked = figures()
      for (const [n, at] of before.entries()) {
        const read = ((sent[n]?.readBytes ?? 0) - at.readBytes) / MIB
        const [memory, after] = [sent[n], checked[n]].map((one) => ((one?.peakMemory ?? 0) - at.peakMemory) / MIB)
        const inAll = ((checked[n]?.readBytes ?? 0) - at.readBytes) / MIB
        console.log(
          `node ${n}: ${read.toFixed(1)} MiB read while ${(archive.bytes / MIB).toFixed(0)} MiB were sent, peak memory +${memory?.toFixed(0)} MiB; ` +
            `once it was checked ${inAll.toFixed(0)} MiB read, peak memory +${after?.toFixed(0)} MiB`,
        )
        expect(read).toBeLessThan(ARCHIVE_BYTES / MIB / 4)
        expect(after).toBeLessThan(256)
      }
    },
  )

  it('has told no key and no signature in any log', () => {
    // An empty log would pass the search for secrets: each upload, each launch and each wait must have its log line.
    expect(calls.filter(({ path }) => path === UPLOADS).length).toBeGreaterThanOrEqual(6)
    expect(calls.filter(({ path }) => path === SERVERS).length).toBeGreaterThanOrEqual(4)
    for (const { node, path, requestId } of calls) {
      const line = node.wholeLog.split('\n').find((one) => one.includes(`"${requestId}"`))
      expect(line, path).toContain(path === UPLOADS ? '"builds.createUpload"' : '"servers.create"')
    }
    expect(cluster.node(1).wholeLog).toContain('a launch waits')
    // The search itself must find each kind of secret.
    const { secretAccessKey, sessionToken = '' } = store.credentials
    expect(secretsIn(`${secretAccessKey} ${sessionToken} ${uploadUrls.join(' ')}`, store, uploadUrls)).toEqual([
      ...Object.keys(store.credentials),
      ...uploadUrls.map((_, n) => `signature ${n}`),
      'a signed URL',
      'a signed request',
    ])
    for (const { nodeId, wholeLog } of cluster.nodes) expect(secretsIn(wholeLog, store, uploadUrls), nodeId).toEqual([])
  })
})
