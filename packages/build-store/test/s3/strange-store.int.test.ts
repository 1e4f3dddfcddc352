import type { IncomingMessage } from 'node:http'
import { BuildStoreAway } from '@matchyard/core/ports'
import { EXECUTABLE, someArchive } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3BucketOptions, s3BuildStore, tryBucket } from '../../src/s3/index'
import { keysIn, type S3Server, startS3Server } from '../../src/testing/index'
import { type Between, listening } from './proxy'

const terms = { maxBytes: 1_000_000 }
async function* streamOf(bytes: Uint8Array) {
  yield bytes
}

let server: S3Server
let bucket: S3BucketOptions
beforeAll(async () => {
  server = await startS3Server()
  bucket = { bucket: server.bucket, endpoint: server.endpoint, credentials: server.credentials }
})
afterAll(() => server.close())

const storeOn = async (more: Partial<S3BucketOptions> = {}) =>
  s3BuildStore({ ...bucket, ...more, cacheDirectory: await temporaryFolder() })
const through = (between: Between, use: (endpoint: string) => Promise<void>) => listening(between, use, server.endpoint)
const unpack = async (store: Awaited<ReturnType<typeof storeOn>>, buildId: string) =>
  store.unpack(buildId, { executablePath: EXECUTABLE, directory: await temporaryFolder() })
const isGetOfObject = ({ method, url = '' }: IncomingMessage) =>
  method === 'GET' && url.includes('/builds/') && !url.includes('list-type')

/** Sends an archive to its URL with the sender's own headers, and keeps it. */
async function uploaded(endpoint: string, buildId: string, headers: Record<string, string> = {}) {
  const uploads = (await storeOn({ endpoint })).direct
  const at = Date.now() - 1_000
  const url = await uploads?.urlOf(buildId, { at, expiresAt: at + 60_000, sizeBytes: null, sha256: null })
  const sent = await fetch(url ?? '', { method: 'PUT', headers, body: new Uint8Array(someArchive()) })
  expect(sent.status).toBe(200)
  const found = await uploads?.find(buildId)
  if (found === undefined) throw new Error('nothing has arrived')
  return uploads?.keep(buildId, found, async () => {})
}

describe('a store that does not do all that S3 does', () => {
  it('but refuses copies is sent the archive from here', async () => {
    let copies = 0
    const between: Between = ({ headers }, response) => {
      if (headers['x-amz-copy-source'] === undefined) return false
      copies++
      response.writeHead(400).end('<Error><Code>InvalidRequest</Code></Error>')
      return true
    }
    await through(between, async (endpoint) => {
      expect(await uploaded(endpoint, 'bld_uncopied')).toBe('kept')
      expect(await tryBucket({ ...bucket, endpoint })).toMatchObject({ ok: true })
    })
    expect(copies).toBe(2)
    await unpack(await storeOn(), 'bld_uncopied')
  })

  it('or is a page that says "back soon" is away, and no build has lost its archive by it', async () => {
    const page: Between = (_, response) => {
      response.end('<html>back soon</html>')
      return true
    }
    await listening(page, async (endpoint) => {
      const store = await storeOn({ endpoint })
      await expect(store.has('bld_1')).rejects.toThrow(BuildStoreAway)
      await expect(store.direct?.find('bld_1')).rejects.toThrow(/answers HEAD with something else than S3/)
    })
  })

  it('or is behind a proxy that has lost its way is away, and nothing of it is gone', async () => {
    const lost: Between = (request, response) => {
      if (!isGetOfObject(request)) return false
      response.writeHead(404).end('404 page not found')
      return true
    }
    await (await storeOn()).receive('bld_behind', streamOf(someArchive()), terms)
    await through(lost, async (endpoint) =>
      expect(unpack(await storeOn({ endpoint }), 'bld_behind')).rejects.toThrow(BuildStoreAway),
    )
    await unpack(await storeOn(), 'bld_behind')
  })
})

it('an upload of which its sender says that it is packed once more is read as it lies', async () => {
  expect(await uploaded(server.endpoint, 'bld_packed', { 'content-encoding': 'gzip' })).toBe('kept')
  await unpack(await storeOn(), 'bld_packed')
})

describe('credentials that are lent', () => {
  it('are asked for anew before each request', async () => {
    const lent = [{ accessKeyId: 'AKIDEXPIRED', secretAccessKey: 'x' }, server.credentials]
    const store = await storeOn({ credentials: async () => lent.shift() ?? server.credentials })
    await expect(store.has('bld_1')).rejects.toThrow(/403 \(InvalidAccessKeyId\)/)
    expect(await store.has('bld_1')).toBe(false)
  })

  it('and cannot be had make the store away, in a sentence without what their lender says', async () => {
    const credentials = async () => {
      throw new Error('no lease for AKIDNOBODY with a-secret')
    }
    const store = await storeOn({ credentials })
    const error: unknown = await store.has('bld_1').catch((reason) => reason)
    expect(error).toBeInstanceOf(BuildStoreAway)
    expect(String(error)).toMatch(/no credentials can be had/)
    expect(String(error)).not.toMatch(/AKIDNOBODY|a-secret/)
    expect(await tryBucket({ ...bucket, credentials })).toMatchObject({ ok: false, mend: /lends the credentials/ })
  })
})

it('a prefix that leads out of the bucket is refused', async () => {
  for (const prefix of ['../', 'a/../../', './']) await expect(storeOn({ prefix })).rejects.toThrow(TypeError)
  const store = await storeOn({ prefix: 'studio a+b/' })
  await store.receive('bld_1', streamOf(someArchive()), terms)
  expect((await keysIn(server)).filter((key) => key.startsWith('studio a+b/builds/bld_1/'))).toHaveLength(1)
})
