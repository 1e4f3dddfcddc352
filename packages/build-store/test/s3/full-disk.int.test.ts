import { readdir } from 'node:fs/promises'
import { BuildStoreAway, StorageUnavailable } from '@matchyard/core/ports'
import { EXECUTABLE, someArchive } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { s3BuildStore } from '../../src/s3/index'
import { keysIn, type S3Server, startS3Server } from '../../src/testing/index'

const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs/promises', async (load) => {
  const fs = await load<typeof import('node:fs/promises')>()
  const open: typeof fs.open = async (...args) => {
    const handle = await fs.open(...args)
    const write = handle.writeFile.bind(handle)
    handle.writeFile = async (data, ...rest) => {
      if (!disk.isFull) return write(data, ...rest)
      // Like a real disk, writes the bytes that still fit.
      await write((data as Uint8Array).subarray(0, 100))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    return handle
  }
  return { ...fs, default: fs, open }
})

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())
beforeEach(() => {
  disk.isFull = false
})

const storeOn = (cacheDirectory: string) => {
  const { bucket, endpoint, credentials } = server
  return s3BuildStore({ bucket, endpoint, credentials, cacheDirectory })
}
async function* streamOf(bytes: Uint8Array) {
  yield bytes
}
async function refusal(work: Promise<unknown> | undefined): Promise<unknown> {
  const error: unknown = await Promise.resolve(work).then(
    () => expect.fail('it fitted'),
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(StorageUnavailable)
  expect(error).not.toBeInstanceOf(BuildStoreAway)
  expect(String(error)).toContain('ENOSPC')
  return error
}

it('an archive that a full disk has no room for is not taken; what nobody uses goes, and the next try finds room', async () => {
  const cacheDirectory = await temporaryFolder()
  const here = storeOn(cacheDirectory)
  await storeOn(await temporaryFolder()).receive('bld_1', streamOf(someArchive()), { maxBytes: 10_000 })
  await here.receive('bld_other', streamOf(someArchive()), { maxBytes: 10_000 })
  expect(await readdir(cacheDirectory)).toHaveLength(1)
  const directory = await temporaryFolder()
  const unpack = () => here.unpack('bld_1', { executablePath: EXECUTABLE, directory })
  disk.isFull = true
  await refusal(unpack())
  for (const folder of [cacheDirectory, directory]) expect(await readdir(folder)).toEqual([])
  disk.isFull = false
  await unpack()
})

it('an upload that a full disk has no room for is not claimed, and stays where it arrived', async () => {
  const cacheDirectory = await temporaryFolder()
  const { direct } = storeOn(cacheDirectory)
  const at = Date.now() - 1_000
  const url = await direct?.urlOf('bld_2', { at, expiresAt: at + 60_000, sizeBytes: null, sha256: null })
  expect((await fetch(url ?? '', { method: 'PUT', body: new Uint8Array(someArchive()) })).status).toBe(200)
  const found = await direct?.find('bld_2')
  if (found === undefined) throw new Error('nothing has arrived')
  disk.isFull = true
  await refusal(direct?.keep('bld_2', found, async () => expect.fail('it was claimed')))
  expect(await readdir(cacheDirectory)).toEqual([])
  expect((await keysIn(server)).filter((key) => key.includes('bld_2'))).toEqual(['uploads/bld_2'])
  disk.isFull = false
  expect(await direct?.keep('bld_2', found, async () => {})).toBe('kept')
})
