import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PayloadTooLarge, StorageUnavailable, UploadUnderway } from '@matchyard/core/ports'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { describe, expect, it, vi } from 'vitest'
import { DEAD_AFTER_MS } from '../../src/fs/drafts'
import { fileBuildStore } from '../../src/fs/index'
import { streamOf } from '../../src/testing/index'

describe('receive', () => {
  it('keeps the upload whole, and makes its folder', async () => {
    const directory = join(await temporaryFolder(), 'a', 'b')
    const store = fileBuildStore({ directory })
    expect(await store.has('bld_1')).toBe(false)
    expect(await store.receive('bld_1', streamOf('one', '', 'two'), { maxBytes: 6 })).toMatchObject({ bytes: 6 })
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

  it('of a hundred uploads of one build at once takes one, and reads nothing of the others', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    const { body, goOn } = held('first')
    const first = store.receive('bld_1', body, { maxBytes: 99 })
    let read = 0
    async function* other() {
      read++
      yield Buffer.from('other')
    }
    const others = Array.from({ length: 99 }, () => store.receive('bld_1', other(), { maxBytes: 99 }))
    for (const one of await Promise.allSettled(others))
      expect(one).toMatchObject({ reason: { name: 'UploadUnderway' } })
    expect(read).toBe(0)
    expect(await store.receive('bld_2', streamOf('of another build'), { maxBytes: 99 })).toMatchObject({ bytes: 16 })
    goOn()
    expect(await first).toMatchObject({ bytes: 5 })
    expect((await readdir(directory)).sort()).toEqual(['bld_1.zip', 'bld_2.zip'])
  })

  it('refuses one that another node has under way, and takes it over when that node is gone', async () => {
    const directory = await temporaryFolder()
    const [here, there] = [fileBuildStore({ directory }), fileBuildStore({ directory })]
    const { body, goOn } = held('theirs')
    const theirs = there.receive('bld_1', body, { maxBytes: 99 })
    const draft = join(directory, 'bld_1.part')
    await vi.waitFor(() => stat(draft))
    const send = () => here.receive('bld_1', streamOf('ours'), { maxBytes: 99 })
    await expect(send()).rejects.toThrow(UploadUnderway)
    const long = new Date(Date.now() - DEAD_AFTER_MS - 60_000)
    await utimes(draft, long, long)
    expect(await send()).toMatchObject({ bytes: 4 })
    // The first upload was only stalled. When it goes on, its bytes must not become the archive.
    goOn()
    await expect(theirs).rejects.toThrow(UploadUnderway)
    expect(await readFile(join(directory, 'bld_1.zip'), 'utf8')).toBe('ours')
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
      await expect(async () => store.receive(id, streamOf('x'), { maxBytes: 9 })).rejects.toThrow(TypeError)
    }
    expect(await readdir(directory)).toEqual([])
  })
})

describe('sweep', () => {
  it('of a folder of its own drops every half upload at once, but none that is under way', async () => {
    const directory = await temporaryFolder()
    for (const name of ['bld_1.part', 'of-an-older-version.part', 'bld_3.zip'])
      await writeFile(join(directory, name), 'x')
    const store = fileBuildStore({ directory, shared: false })
    const { body, goOn } = held('whole')
    const underway = store.receive('bld_2', body, { maxBytes: 99 })
    await vi.waitFor(() => stat(join(directory, 'bld_2.part')))
    await store.sweep()
    expect((await readdir(directory)).sort()).toEqual(['bld_2.part', 'bld_3.zip'])
    goOn()
    await underway
    await store.sweep()
    expect((await readdir(directory)).sort()).toEqual(['bld_2.zip', 'bld_3.zip'])
  })

  it('of a folder that is shared drops those that have not grown for two minutes', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    await store.sweep()
    for (const name of ['old.part', 'young.part']) await writeFile(join(directory, name), 'x')
    const long = new Date(Date.now() - DEAD_AFTER_MS - 60_000)
    await utimes(join(directory, 'old.part'), long, long)
    await store.sweep()
    expect(await readdir(directory)).toEqual(['young.part'])
  })

  it('lets a half upload of a process that was killed stand in nobody’s way', async () => {
    const directory = await temporaryFolder()
    await writeFile(join(directory, 'bld_1.part'), 'half')
    const store = fileBuildStore({ directory, shared: false })
    expect(await store.receive('bld_1', streamOf('whole'), { maxBytes: 99 })).toMatchObject({ bytes: 5 })
  })
})

/** Returns a body that ends when `goOn` is called. */
function held(text: string): { body: AsyncIterable<Uint8Array>; goOn: () => void } {
  let goOn = () => {}
  const told = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* body() {
    yield Buffer.from(text)
    await told
  }
  return { body: body(), goOn }
}

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
