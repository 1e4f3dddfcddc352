import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileBuildStore } from '../../src/fs/index'
import { good, rawZip, zipOf } from '../../src/testing/index'
import { plant } from './archives'

const ROUNDS = Number(process.env.CORRUPTION_ROUNDS ?? 300)

const change = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), value: fc.nat(40) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('word' as const), at: fc.nat(), value: fc.constantFrom(0, 0xff, 0x7f) }),
)

function apply(archive: Buffer, changes: readonly { kind: string; at: number; value: number }[]): Buffer {
  let bytes = Buffer.from(archive)
  for (const { kind, at, value } of changes) {
    const where = at % (bytes.length + 1)
    if (kind === 'flip' && where < bytes.length) bytes[where] = value
    if (kind === 'word') bytes.fill(value, where, Math.min(where + 4, bytes.length))
    if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, where), bytes.subarray(where + value)])
    if (kind === 'insert')
      bytes = Buffer.concat([bytes.subarray(0, where), Buffer.from([value]), bytes.subarray(where)])
  }
  return bytes
}

it('a damaged archive gets a verdict, never an exception, and writes nothing outside its folder', async () => {
  const folder = await temporaryFolder()
  const directory = join(folder, 'out')
  const store = fileBuildStore({ directory: folder })
  const archives = [
    await zipOf([
      { name: 'server', content: '#!/bin/sh\n' },
      { name: 'a/b', content: 'x'.repeat(3000) },
      { name: 'c/', content: '' },
      { name: 'd', content: 'stored', options: { compress: false } },
      { name: 'e', content: 'long', options: { forceZip64Format: true } },
    ]),
    rawZip([good, { name: 'a/b', content: Buffer.from('content') }]),
  ]
  let accepted = 0
  let refused = 0
  const property = fc.asyncProperty(
    fc.constantFrom(...archives),
    fc.array(change, { maxLength: 4 }),
    async (zip, changes) => {
      await plant(folder, 'bld_1', apply(zip, changes))
      const verdict = await store.inspect('bld_1', { executablePath: 'server' }, () => {})
      await rm(directory, { recursive: true, force: true }) // from the round before, after success or failure
      await mkdir(directory)
      const unpacking = store.unpack('bld_1', { executablePath: 'server', directory })
      if (verdict.ok) {
        accepted++
        await unpacking
        expect(await readdir(directory)).toContain('server')
      } else {
        refused++
        await expect(unpacking).rejects.toThrow()
      }
      expect((await readdir(folder)).sort()).toEqual(['bld_1.zip', 'out'])
    },
  )
  await fc.assert(property, { numRuns: ROUNDS })
  // A run with only one of the two results would have tested nothing.
  expect(Math.min(accepted, refused)).toBeGreaterThan(0)
})
