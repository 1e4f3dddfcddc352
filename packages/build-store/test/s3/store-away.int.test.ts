import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BuildStoreAway } from '@matchyard/core/ports'
import { EXECUTABLE, someArchive } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { STALE_UPLOAD_MS, SWEEP_EVERY_MS } from '../../src/s3/build-archives'
import { type S3BucketOptions, s3BuildStore, tryBucket, uploadOriginOf } from '../../src/s3/index'
import { Patience } from '../../src/s3/patience'
import { type S3Server, startS3Server } from '../../src/testing/index'
import { type Between, listening } from './proxy'

async function* streamOf(bytes: Uint8Array) {
  yield bytes
}
const terms = { maxBytes: 1_000_000 }
const SECRET = 'a-secret-that-nobody-may-see'

let server: S3Server
let bucket: S3BucketOptions
/**
 * Address on which nothing listens. A port that was free a moment ago may now belong to another test; only an
 * administrator can listen on port 2.
 */
const nobody = 'http://127.0.0.1:2'
beforeAll(async () => {
  server = await startS3Server()
  bucket = { bucket: server.bucket, endpoint: server.endpoint, credentials: server.credentials }
})
afterAll(() => server.close())

const storeOn = async (more: Partial<S3BucketOptions> = {}) =>
  s3BuildStore({ ...bucket, ...more, cacheDirectory: await temporaryFolder() })

/** Runs `work` with the clock moved ahead by `ms` milliseconds and a minute. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ now: Date.now() + ms + 60_000, toFake: ['Date'] })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

describe('a bucket that cannot be asked', () => {
  it('is away, in a sentence without a key', async () => {
    const credentials = { accessKeyId: 'AKIDNOBODY', secretAccessKey: SECRET }
    const stores = [await storeOn({ endpoint: nobody, credentials }), await storeOn({ credentials })]
    for (const store of stores) {
      const directory = await temporaryFolder()
      const calls = [
        () => store.has('bld_1'),
        () => store.inspect('bld_1', { executablePath: 'x' }, () => {}),
        () => store.unpack('bld_1', { executablePath: 'x', directory }),
        () => store.receive('bld_1', streamOf(someArchive()), terms),
        () => store.remove('bld_1'),
        () => later(SWEEP_EVERY_MS, () => store.sweep()),
        () => store.direct?.find('bld_1'),
      ]
      for (const call of calls) {
        const error: unknown = await Promise.resolve(call()).then(
          () => expect.fail('it answered'),
          (reason) => reason,
        )
        expect(error).toBeInstanceOf(BuildStoreAway)
        expect(String(error)).toMatch(
          /the bucket "matchyard-builds" at 127\.0\.0\.1:\d+ (does not answer|answers \w+ with 403)/,
        )
        expect(String(error)).not.toMatch(/AKIDNOBODY|a-secret|Signature=|X-Amz/)
      }
    }
  })

  it('a store that fails for a moment is asked again', async () => {
    let failures = 2
    await listening(
      (_, response) => {
        response.statusCode = failures-- > 0 ? 503 : 404
        response.end()
      },
      async (endpoint) => expect(await (await storeOn({ endpoint })).direct?.find('bld_1')).toBeUndefined(),
    )
  })

  it('a store that takes a call and says nothing is away', async () => {
    const patience = new Patience(20)
    await expect.poll(() => patience.signal.aborted).toBe(true)
    const alive = new Patience(10_000)
    expect(alive.signal.aborted).toBe(false)
    alive.end()
  })
})

describe('an archive in the bucket', () => {
  it('that was changed or cut short there is refused by its hash, on a node that has none of it', async () => {
    const archive = someArchive()
    const here = await storeOn()
    await here.receive('bld_changed', streamOf(archive), terms)
    const { signedPut, archiveKey } = await keysOf('bld_changed')
    for (const bytes of [archive.subarray(0, 100), Buffer.concat([archive, Buffer.from('x')])]) {
      expect((await fetch(await signedPut(archiveKey), { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(
        200,
      )
      const there = await storeOn()
      const verdict = await there.inspect('bld_changed', { executablePath: EXECUTABLE }, () => {})
      expect(verdict).toMatchObject({
        ok: false,
        message: expect.stringMatching(/is not what was uploaded: its SHA-256 is/),
      })
      const directory = await temporaryFolder()
      await expect(there.unpack('bld_changed', { executablePath: EXECUTABLE, directory })).rejects.toThrow(
        /not what was uploaded/,
      )
      expect(await readdir(directory)).toEqual([])
    }
    // A node that fetched the archive earlier still has the uploaded one.
    expect((await here.inspect('bld_changed', { executablePath: EXECUTABLE }, () => {})).ok).toBe(true)
  })

  it('that is damaged on the machine is fetched again', async () => {
    const cacheDirectory = await temporaryFolder()
    const store = s3BuildStore({ ...bucket, cacheDirectory })
    await store.receive('bld_damaged', streamOf(someArchive()), terms)
    const [kept] = await readdir(cacheDirectory)
    await writeFile(join(cacheDirectory, kept ?? ''), 'nothing of it')
    const unpack = async () =>
      store.unpack('bld_damaged', { executablePath: EXECUTABLE, directory: await temporaryFolder() })
    await expect(unpack()).rejects.toThrow(/not a ZIP archive/)
    await unpack()
  })

  it('what came after its build had its archive is swept once it is a day old', async () => {
    const store = await storeOn({ prefix: 'swept/' })
    const at = Date.now() - 1_000
    const url = await store.direct?.urlOf('bld_1', { at, expiresAt: at + 60_000, sizeBytes: null, sha256: null })
    const send = () => fetch(url ?? '', { method: 'PUT', body: 'late' })
    expect((await send()).status).toBe(200)
    await later(SWEEP_EVERY_MS, () => store.sweep())
    expect(await store.direct?.find('bld_1')).toBeDefined()
    // A node that starts after a day down must first keep the uploads that arrived meanwhile.
    await later(STALE_UPLOAD_MS, async () => (await storeOn({ prefix: 'swept/' })).sweep())
    expect(await store.direct?.find('bld_1')).toBeDefined()
    await later(STALE_UPLOAD_MS, () => store.sweep())
    expect(await store.direct?.find('bld_1')).toBeUndefined()
  })
})

describe('a trial of the bucket', () => {
  it('is good where everything can be done, and leaves nothing', async () => {
    const trial = await tryBucket({ ...bucket, prefix: 'trial/' })
    expect(trial).toEqual({ ok: true, place: expect.stringContaining('"matchyard-builds"') })
    const listed = await fetch(`${server.endpoint}/${server.bucket}?list-type=2&prefix=trial/`)
    expect(await listed.text()).not.toContain('<Contents>')
  })

  it.each([
    ['a bucket that is not there', { bucket: 'nowhere' }, /make the bucket "nowhere"/],
    [
      'a wrong secret',
      { credentials: { accessKeyId: 'AKIDOFTHETESTS', secretAccessKey: SECRET } },
      /the secret that belongs/,
    ],
    ['an unknown key', { credentials: { accessKeyId: 'nobody', secretAccessKey: SECRET } }, /whom the store knows/],
    ['a host that is none', { endpoint: 'http://no-such-host.invalid' }, /endpoint|name server/],
  ])('with %s says what mends it', async (_, more, mend) => {
    const trial = await tryBucket({ ...bucket, ...more })
    expect(trial).toMatchObject({ ok: false, mend: expect.stringMatching(mend) })
    expect(JSON.stringify(trial)).not.toContain(SECRET)
  })

  it('with a store that is down says so', async () => {
    const trial = await tryBucket({ ...bucket, endpoint: nobody })
    expect(trial).toMatchObject({ ok: false, mend: 'start the store, or correct the endpoint' })
  })

  it('with a store that is none says so', async () => {
    const deaf: Between = (request, response) => {
      response.statusCode = request.method === 'HEAD' ? 404 : 200
      response.end('<html>welcome</html>')
    }
    await listening(deaf, async (endpoint) =>
      expect(await tryBucket({ ...bucket, endpoint })).toMatchObject({
        ok: false,
        mend: expect.stringMatching(/speaks S3/),
      }),
    )
  })
})

describe('the addresses of uploads', () => {
  const urlWith = async (more: Partial<S3BucketOptions>) => {
    const { endpoint: _, ...rest } = bucket
    const store = s3BuildStore({ ...rest, ...more, cacheDirectory: 'unused' })
    const at = Date.UTC(2026, 0, 2)
    return new URL(
      (await store.direct?.urlOf('bld_1', { at, expiresAt: at + 900_000, sizeBytes: 7, sha256: 'ab'.repeat(32) })) ??
        '',
    )
  }

  it('are Amazon’s by the region, or the store’s own, by path or by host', async () => {
    const amazon = await urlWith({ region: 'eu-central-1', bucket: 'my-builds' })
    expect(amazon.origin + amazon.pathname).toBe('https://my-builds.s3.eu-central-1.amazonaws.com/uploads/bld_1')
    const own = await urlWith({
      endpoint: 'http://10.0.0.1:9000',
      publicEndpoint: 'https://s3.example.com',
      prefix: 'a/',
    })
    expect(own.origin + own.pathname).toBe('https://s3.example.com/matchyard-builds/a/uploads/bld_1')
    const byHost = await urlWith({ endpoint: 'https://s3.example.com', pathStyle: false, bucket: 'b-1' })
    expect(byHost.origin + byHost.pathname).toBe('https://b-1.s3.example.com/uploads/bld_1')
    expect(uploadOriginOf({ ...bucket, endpoint: 'https://s3.example.com/x', pathStyle: false })).toBe(
      'https://matchyard-builds.s3.example.com',
    )
  })

  it('sign what was announced, and live as long as was said', async () => {
    const { searchParams } = await urlWith({})
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host')
    expect(searchParams.get('X-Amz-Expires')).toBe('900')
    expect(searchParams.get('X-Amz-Date')).toBe('20260102T000000Z')
    expect(searchParams.get('x-amz-checksum-sha256')).toBe(Buffer.from('ab'.repeat(32), 'hex').toString('base64'))
  })

  it('an option that nobody knows is refused', () => {
    const wrong = { ...bucket, cacheDirectory: 'x', cacheByte: 1 }
    expect(() => s3BuildStore(wrong)).toThrow('s3BuildStore: there is no option "cacheByte"; did you mean cacheBytes?')
  })
})

/**
 * Returns the key of a build's archive, and a function that signs URLs to overwrite it, as the owner of the access key
 * can.
 */
async function keysOf(buildId: string) {
  const { Bucket } = await import('../../src/s3/bucket')
  const { Objects } = await import('../../src/s3/objects')
  const raw = new Bucket(bucket)
  const found = (await new Objects(raw).list(`builds/${buildId}/`).next()).value
  const sign = (key: string) =>
    raw.signedUrl('PUT', key, { at: Date.now() - 1_000, seconds: 60, query: {}, headers: {} })
  return { archiveKey: found?.key ?? '', signedPut: sign }
}
