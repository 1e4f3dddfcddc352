import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ArchiveMismatch,
  type BuildStore,
  PayloadTooLarge,
  StorageUnavailable,
  UploadUnderway,
} from '@matchyard/core/ports'
import { archiveOf, EXECUTABLE, PROGRAM, sha256Of, someArchive, streamOf } from './archives'
import type { BuildStoreCase, BuildStoreHarness } from './harness'

const terms = { maxBytes: 1_000_000 }

/** Unpacks a build and returns the folder. */
async function unpacked(harness: BuildStoreHarness, store: BuildStore, buildId: string): Promise<string> {
  const directory = await harness.folder()
  await store.unpack(buildId, { executablePath: EXECUTABLE, directory })
  return directory
}

const verdictOf = (store: BuildStore, buildId: string, executablePath = EXECUTABLE) =>
  store.inspect(buildId, { executablePath }, () => {})

export const archiveCases: readonly BuildStoreCase[] = [
  {
    name: 'what was received is there for every node, inspected and unpacked as it was sent',
    async run(harness) {
      const [here, there] = [await harness.node(), await harness.node()]
      const archive = someArchive()
      assert.equal(await here.has('bld_1'), false)
      const received = { bytes: archive.length, sha256: sha256Of(archive) }
      assert.deepEqual(await here.receive('bld_1', streamOf(archive), terms), received)
      for (const store of [here, there]) {
        assert.equal(await store.has('bld_1'), true)
        const verdict = await verdictOf(store, 'bld_1')
        assert.deepEqual({ ...verdict, unpackedBytes: 0 }, { ok: true, entries: 2, unpackedBytes: 0 })
        const directory = await unpacked(harness, store, 'bld_1')
        assert.deepEqual((await readdir(directory)).sort(), ['bin', 'data'])
        assert.equal(await readFile(join(directory, EXECUTABLE), 'utf8'), PROGRAM)
        assert.equal((await stat(join(directory, EXECUTABLE))).mode & 0o111, 0o111)
      }
    },
  },
  {
    name: 'a body that is too large, breaks off, or is another one than was announced leaves nothing',
    async run(harness) {
      const store = await harness.node()
      const archive = someArchive()
      async function* broken() {
        yield archive.subarray(0, 10)
        throw new Error('cut off')
      }
      await assert.rejects(store.receive('bld_1', streamOf(archive), { maxBytes: archive.length - 1 }), PayloadTooLarge)
      await assert.rejects(store.receive('bld_1', broken(), terms), /cut off/)
      const announced = { ...terms, sha256: sha256Of(someArchive()) }
      await assert.rejects(store.receive('bld_1', streamOf(archive), announced), (error) => {
        assert.ok(error instanceof ArchiveMismatch)
        assert.deepEqual([error.found, error.announced], [sha256Of(archive), announced.sha256])
        return true
      })
      assert.equal(await store.has('bld_1'), false)
      await store.receive('bld_1', streamOf(archive), { ...terms, sha256: sha256Of(archive) })
      assert.equal(await store.has('bld_1'), true)
    },
  },
  {
    name: 'an archive can be located and read in parts, on every node',
    async run(harness) {
      const [here, there] = [await harness.node(), await harness.node()]
      const urlTerms = { at: Date.now(), expiresAt: Date.now() + 60_000 }
      assert.equal(await here.locate('bld_1', urlTerms), undefined)
      const archive = someArchive()
      await here.receive('bld_1', streamOf(archive), terms)
      for (const store of [here, there]) {
        const found = await store.locate('bld_1', urlTerms)
        assert.equal(found?.sizeBytes, archive.length)
        assert.ok([null, sha256Of(archive)].includes(found?.sha256 ?? null))
        for (const [start, end] of [
          [0, archive.length],
          [3, 10],
          [archive.length - 1, archive.length],
        ] as const) {
          const chunks: Uint8Array[] = []
          for await (const chunk of store.read('bld_1', { start, end })) chunks.push(chunk)
          assert.deepEqual(Buffer.concat(chunks), Buffer.from(archive.subarray(start, end)))
        }
        if (found?.url != null) {
          const answer = await fetch(found.url)
          assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(archive))
        }
      }
      const missing = here.read('bld_2', { start: 0, end: 1 })[Symbol.asyncIterator]()
      await assert.rejects(missing.next(), StorageUnavailable)
    },
  },
  {
    name: 'of two bodies at once for one build one is read',
    async run(harness) {
      const store = await harness.node()
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const archive = someArchive()
      async function* slowly() {
        yield archive
        await held
      }
      const first = store.receive('bld_1', slowly(), terms)
      let read = 0
      async function* other() {
        read++
        yield archive
      }
      await assert.rejects(store.receive('bld_1', other(), terms), UploadUnderway)
      assert.equal(read, 0)
      await store.receive('bld_2', other(), terms)
      goOn()
      await first
      assert.equal(await store.has('bld_1'), true)
    },
  },
  {
    name: 'a bad archive is told with its entry, and is unpacked nowhere',
    async run(harness) {
      const store = await harness.node()
      const bad = archiveOf([
        { name: EXECUTABLE, content: Buffer.from(PROGRAM) },
        { name: '../x', content: Buffer.from('x') },
      ])
      await store.receive('bld_1', streamOf(bad), terms)
      const verdict = await verdictOf(store, 'bld_1')
      assert.equal(verdict.ok, false)
      assert.match(verdict.ok ? '' : verdict.message, /"\.\.\/x"/)
      const directory = await harness.folder()
      await assert.rejects(store.unpack('bld_1', { executablePath: EXECUTABLE, directory }))
      assert.deepEqual(await readdir(directory), [])
    },
  },
  {
    name: 'a build without an archive is told so, and unpacks to an error',
    async run(harness) {
      const store = await harness.node()
      const verdict = await verdictOf(store, 'bld_none')
      assert.deepEqual(verdict, { ok: false, message: 'build bld_none has no archive' })
      const directory = await harness.folder()
      await assert.rejects(store.unpack('bld_none', { executablePath: EXECUTABLE, directory }), /no archive/)
    },
  },
  {
    name: 'what is removed is gone for every node, that of the same content of another build is not, and again is fine',
    async run(harness) {
      const [here, there] = [await harness.node(), await harness.node()]
      const archive = someArchive()
      for (const buildId of ['bld_1', 'bld_2']) await here.receive(buildId, streamOf(archive), terms)
      await here.remove('bld_1')
      await there.remove('bld_1')
      for (const store of [here, there]) {
        assert.equal(await store.has('bld_1'), false)
        assert.equal((await verdictOf(store, 'bld_2')).ok, true)
        await unpacked(harness, store, 'bld_2')
      }
    },
  },
  {
    name: 'sweeping touches no archive',
    async run(harness) {
      const store = await harness.node()
      await store.sweep()
      await store.receive('bld_1', streamOf(someArchive()), terms)
      await store.sweep()
      assert.equal(await store.has('bld_1'), true)
    },
  },
  {
    name: 'an id that is a path is refused',
    async run(harness) {
      const store = await harness.node()
      for (const id of ['../x', '', 'a/b', '.', 'a\0b']) {
        await assert.rejects(async () => store.receive(id, streamOf(someArchive()), terms), TypeError)
        await assert.rejects(async () => store.has(id), TypeError)
      }
    },
  },
]
