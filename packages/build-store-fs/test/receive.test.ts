import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PayloadTooLarge, StorageUnavailable } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { fileBuildStore } from '../src/index'
import { streamOf, temporaryFolder } from './archives'

describe('receive', () => {
  it('keeps the upload whole, and makes its folder', async () => {
    const directory = join(await temporaryFolder(), 'a', 'b')
    const store = fileBuildStore({ directory })
    expect(await store.has('bld_1')).toBe(false)
    expect(await store.receive('bld_1', streamOf('one', '', 'two'), { maxBytes: 6 })).toEqual({ bytes: 6 })
    expect(await store.has('bld_1')).toBe(true)
    expect(await readFile(join(directory, 'bld_1.zip'), 'utf8')).toBe('onetwo')
    expect(await readdir(directory)).toEqual(['bld_1.zip'])
  })

  it('refuses one byte too many and leaves nothing', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    await expect(store.receive('bld_1', streamOf('one', 'two'), { maxBytes: 5 })).rejects.toThrow(PayloadTooLarge)
    expect(await readdir(directory)).toEqual([])
  })

  it('leaves nothing of a broken stream, and keeps what was there before', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    const broken = new Error('connection reset')
    await expect(store.receive('bld_1', streamOf('half', broken), { maxBytes: 99 })).rejects.toBe(broken)
    expect(await readdir(directory)).toEqual([])
    await store.receive('bld_1', streamOf('first'), { maxBytes: 99 })
    await expect(store.receive('bld_1', streamOf('half', broken), { maxBytes: 99 })).rejects.toBe(broken)
    expect(await readFile(join(directory, 'bld_1.zip'), 'utf8')).toBe('first')
  })

  it('takes two uploads of one build at once: one of them is there, whole', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    const [a, b] = ['a'.repeat(100_000), 'b'.repeat(100_000)]
    await Promise.all([a, b].map((text) => store.receive('bld_1', streamOf(text), { maxBytes: 200_000 })))
    expect([a, b]).toContain(await readFile(join(directory, 'bld_1.zip'), 'utf8'))
    expect(await readdir(directory)).toEqual(['bld_1.zip'])
  })

  it.each(['ENOSPC', 'EDQUOT', 'EIO'])('tells %s as the store being unavailable', async (code) => {
    const store = fileBuildStore({ directory: await temporaryFolder() })
    const full = Object.assign(new Error('disk trouble'), { code })
    await expect(store.receive('bld_1', streamOf('x', full), { maxBytes: 9 })).rejects.toThrow(StorageUnavailable)
  })

  it('refuses an id that is a path', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory: join(directory, 'inner') })
    for (const id of ['../x', '', 'a/b', '.', 'a\0b']) {
      expect(() => store.receive(id, streamOf('x'), { maxBytes: 9 })).rejects.toThrow(TypeError)
    }
    expect(await readdir(directory)).toEqual([])
  })
})

describe('remove', () => {
  it('removes the archive, and is fine with none', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'bld_1.zip'), 'x')
    await store.remove('bld_1')
    await store.remove('bld_1')
    expect(await store.has('bld_1')).toBe(false)
  })
})
