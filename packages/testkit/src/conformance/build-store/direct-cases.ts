import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildStore, DirectUploads, UploadTerms } from '@matchyard/core/ports'
import { EXECUTABLE, sha256Of, someArchive } from './archives'
import type { BuildStoreCase, BuildStoreHarness } from './harness'

/**
 * Returns the terms of an upload that begins now and is allowed for 15 minutes. By default the client has announced no
 * size and no checksum.
 */
function termsOf(announced: Partial<UploadTerms> = {}): UploadTerms {
  const at = Date.now() - 1_000
  return { at, expiresAt: at + 15 * 60_000, sizeBytes: null, sha256: null, ...announced }
}

async function accepted(harness: BuildStoreHarness, url: string, body: Uint8Array): Promise<void> {
  const status = await harness.put(url, body)
  assert.ok(status >= 200 && status < 300, `the store answers ${status}`)
}

/** Returns a case for stores to which clients upload directly; the case passes for other stores. */
const direct = (
  name: string,
  run: (harness: BuildStoreHarness, store: BuildStore, uploads: DirectUploads) => Promise<void>,
): BuildStoreCase => ({
  name: `an upload past the service ${name}`,
  async run(harness) {
    const store = await harness.node()
    if (store.direct !== null) await run(harness, store, store.direct)
  },
})

const nothing = async () => {}

export const directCases: readonly BuildStoreCase[] = [
  direct('is found, claimed by its hash, and the archive of every node', async (harness, store, uploads) => {
    const archive = someArchive()
    const url = await uploads.urlOf('bld_1', termsOf())
    assert.equal(await uploads.find('bld_1'), undefined)
    await accepted(harness, url, archive)
    const found = await uploads.find('bld_1')
    assert.equal(found?.sizeBytes, archive.length)
    assert.equal(await store.has('bld_1'), false)
    const claims: string[] = []
    const claim = async (sha256: string) => void claims.push(sha256)
    assert.equal(await uploads.keep('bld_1', found, claim), 'kept')
    assert.deepEqual(claims, [sha256Of(archive)])
    assert.equal(await uploads.find('bld_1'), undefined)
    for (const node of [store, await harness.node()]) {
      assert.equal(await node.has('bld_1'), true)
      assert.equal((await node.inspect('bld_1', { executablePath: EXECUTABLE }, () => {})).ok, true)
    }
  }),
  direct('has the same URL for the same terms', async (_, __, uploads) => {
    const terms = termsOf({ sizeBytes: 10, sha256: sha256Of(someArchive()) })
    assert.equal(await uploads.urlOf('bld_1', terms), await uploads.urlOf('bld_1', terms))
    assert.notEqual(await uploads.urlOf('bld_1', terms), await uploads.urlOf('bld_2', terms))
  }),
  direct('that is not claimed is not kept', async (harness, store, uploads) => {
    await accepted(harness, await uploads.urlOf('bld_1', termsOf()), someArchive())
    const found = await uploads.find('bld_1')
    assert.ok(found)
    const refused = uploads.keep('bld_1', found, async () => {
      throw new Error('not this one')
    })
    await assert.rejects(refused, /not this one/)
    assert.equal(await store.has('bld_1'), false)
    await store.remove('bld_1')
    assert.equal(await uploads.find('bld_1'), undefined)
  }),
  direct('that another one takes the place of is gone, before it is claimed', async (harness, store, uploads) => {
    const url = await uploads.urlOf('bld_1', termsOf())
    await accepted(harness, url, someArchive())
    const found = await uploads.find('bld_1')
    assert.ok(found)
    await accepted(harness, url, someArchive())
    const never = async () => assert.fail('it was claimed')
    assert.equal(await uploads.keep('bld_1', found, never), 'gone')
    await store.remove('bld_1')
    assert.equal(await uploads.keep('bld_1', found, never), 'gone')
  }),
  direct('is what was claimed, whatever comes to its URL meanwhile and afterwards', async (harness, store, uploads) => {
    const archive = someArchive()
    const url = await uploads.urlOf('bld_1', termsOf())
    await accepted(harness, url, archive)
    const found = await uploads.find('bld_1')
    assert.ok(found)
    assert.equal(await uploads.keep('bld_1', found, () => accepted(harness, url, someArchive())), 'kept')
    await accepted(harness, url, someArchive())
    for (const node of [store, await harness.node()]) {
      const directory = await harness.folder()
      await node.unpack('bld_1', { executablePath: EXECUTABLE, directory })
      assert.ok(Buffer.from(archive).includes(await readFile(join(directory, 'data'))))
    }
  }),
  direct('that was kept may be kept again, as after a lost answer', async (harness, store, uploads) => {
    const archive = someArchive()
    const url = await uploads.urlOf('bld_1', termsOf())
    for (const _ of [1, 2]) {
      await accepted(harness, url, archive)
      const found = await uploads.find('bld_1')
      assert.ok(found)
      assert.equal(await uploads.keep('bld_1', found, nothing), 'kept')
    }
    assert.equal((await store.inspect('bld_1', { executablePath: EXECUTABLE }, () => {})).ok, true)
  }),
  direct('that two nodes keep at once is one archive', async (harness, store, uploads) => {
    const archive = someArchive()
    await accepted(harness, await uploads.urlOf('bld_1', termsOf()), archive)
    const found = await uploads.find('bld_1')
    assert.ok(found)
    const nodes = [store, await harness.node()]
    const claims: string[] = []
    const claim = async (sha256: string) => void claims.push(sha256)
    const ends = await Promise.all(nodes.map((node) => node.direct?.keep('bld_1', found, claim)))
    assert.ok(ends.includes('kept'))
    assert.deepEqual(new Set(claims), new Set([sha256Of(archive)]))
    assert.equal(await uploads.find('bld_1'), undefined)
    for (const node of nodes) {
      const directory = await harness.folder()
      await node.unpack('bld_1', { executablePath: EXECUTABLE, directory })
      assert.ok(Buffer.from(archive).includes(await readFile(join(directory, 'data'))))
    }
  }),
  direct('of another size than was announced is refused by the store', async (harness, _, uploads) => {
    const archive = someArchive()
    const url = await uploads.urlOf('bld_1', termsOf({ sizeBytes: archive.length }))
    for (const other of [someArchive(10), someArchive(1_000)]) {
      assert.equal(await harness.put(url, other), 403)
      assert.equal(await uploads.find('bld_1'), undefined)
    }
    await accepted(harness, url, archive)
  }),
  direct('with a bent URL, one of another build, or one whose time is over is refused', async (harness, _, uploads) => {
    const url = await uploads.urlOf('bld_1', termsOf())
    const at = Date.now() - 60 * 60_000
    const bent = [
      url.replace('bld_1', 'bld_2'),
      url.replace(/(Signature=)(.)/, (__, name, first) => `${name}${first === '0' ? '1' : '0'}`),
      url.replace(/Expires=\d+/, 'Expires=604800'),
      await uploads.urlOf('bld_1', termsOf({ at, expiresAt: at + 60_000 })),
    ]
    for (const one of bent) {
      assert.notEqual(one, url)
      assert.equal(await harness.put(one, someArchive()), 403)
    }
    for (const buildId of ['bld_1', 'bld_2']) assert.equal(await uploads.find(buildId), undefined)
  }),
]
