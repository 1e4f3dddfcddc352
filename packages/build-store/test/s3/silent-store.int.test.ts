import { readdir } from 'node:fs/promises'
import { BuildStoreAway } from '@matchyard/core/ports'
import { EXECUTABLE, someArchive } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { s3BuildStore } from '../../src/s3/index'
import { type S3Server, startS3Server } from '../../src/testing/index'
import { type Between, listening } from './proxy'

vi.mock('../../src/s3/patience', async (load) => {
  const own = await load<typeof import('../../src/s3/patience')>()
  // Instead of 20 seconds.
  const SILENCE_MS = 600
  class Patience extends own.Patience {
    constructor() {
      super(SILENCE_MS)
    }
  }
  return { ...own, SILENCE_MS, Patience }
})

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())

const storeOn = (endpoint: string, cacheDirectory: string) =>
  s3BuildStore({ bucket: server.bucket, endpoint, credentials: server.credentials, cacheDirectory })
async function* streamOf(bytes: Uint8Array) {
  yield bytes
}

it('a store that takes a call and never answers is away', async () => {
  let calls = 0
  const silent: Between = () => {
    calls++
    return true
  }
  await listening(silent, async (endpoint) => {
    const store = storeOn(endpoint, await temporaryFolder())
    await expect(store.has('bld_1')).rejects.toThrow(/does not answer GET \(it took too long\)/)
  })
  expect(calls).toBe(3)
})

it('a store that falls silent in the middle of an archive is away, and nothing of it is taken', async () => {
  const archive = someArchive(100_000)
  await storeOn(server.endpoint, await temporaryFolder()).receive('bld_1', streamOf(archive), { maxBytes: 1_000_000 })
  const cacheDirectory = await temporaryFolder()
  const fallsSilent: Between = ({ method, url = '' }, response) => {
    if (method !== 'GET' || url.includes('list-type')) return false
    response.writeHead(200, { 'content-length': archive.length, etag: '"x"' })
    response.write(archive.subarray(0, 50_000))
    return true
  }
  const directory = await temporaryFolder()
  const unpacked = (endpoint: string) =>
    storeOn(endpoint, cacheDirectory).unpack('bld_1', { executablePath: EXECUTABLE, directory })
  await listening(
    fallsSilent,
    async (endpoint) => expect(unpacked(endpoint)).rejects.toThrow(BuildStoreAway),
    server.endpoint,
  )
  for (const folder of [cacheDirectory, directory]) expect(await readdir(folder)).toEqual([])
  await unpacked(server.endpoint)
})

it('a store that takes nothing of what is sent is away', async () => {
  const cacheDirectory = await temporaryFolder()
  const deaf: Between = (request) => {
    if (request.method !== 'PUT') return false
    request.pause()
    return true
  }
  await listening(
    deaf,
    async (endpoint) => {
      const store = storeOn(endpoint, cacheDirectory)
      const body = streamOf(someArchive(8_000_000))
      await expect(store.receive('bld_2', body, { maxBytes: 10_000_000 })).rejects.toThrow(/does not answer PUT/)
    },
    server.endpoint,
  )
  expect(await readdir(cacheDirectory)).toEqual([])
})

it('whoever lends credentials and never answers makes the store away', async () => {
  const store = s3BuildStore({
    bucket: server.bucket,
    endpoint: server.endpoint,
    credentials: () => new Promise(() => {}),
    cacheDirectory: await temporaryFolder(),
  })
  await expect(store.has('bld_1')).rejects.toThrow(/no credentials can be had \(it took too long\)/)
})
