import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { describe, expect, it } from 'vitest'
import { fileBuildStore } from '../../src/fs/index'
import { good, PROGRAM, rawZip, zipOf } from '../../src/testing/index'
import { plant } from './archives'

async function unpacked(archive: Uint8Array, executablePath = 'server') {
  const folder = await temporaryFolder()
  const directory = join(folder, 'out')
  await mkdir(directory)
  await plant(folder, 'bld_1', archive)
  await fileBuildStore({ directory: folder }).unpack('bld_1', { executablePath, directory })
  return { folder, directory }
}

const modeOf = async (...path: string[]) => (await stat(join(...path))).mode & 0o7777

describe('unpack', () => {
  it('writes what the archive holds', async () => {
    const blob = randomBytes(300_000)
    const { directory } = await unpacked(
      await zipOf([
        { name: 'server', content: PROGRAM },
        { name: 'a/b/c.bin', content: blob },
        { name: 'empty', content: '' },
        { name: 'void/', content: '' },
      ]),
    )
    expect((await readdir(directory)).sort()).toEqual(['a', 'empty', 'server', 'void'])
    expect(await readFile(join(directory, 'server'), 'utf8')).toBe(PROGRAM)
    expect((await readFile(join(directory, 'a/b/c.bin'))).equals(blob)).toBe(true)
    expect((await stat(join(directory, 'empty'))).size).toBe(0)
    expect(await readdir(join(directory, 'void'))).toEqual([])
  })

  it('gives safe modes: the executable runs, nothing is setuid or writable by others', async () => {
    const { directory } = await unpacked(
      rawZip([
        { ...good, mode: 0o100600 },
        { name: 'tool', mode: 0o106777 },
        { name: 'data', mode: 0o100666 },
        { name: 'dir/', mode: 0o043777 },
      ]),
    )
    expect(await modeOf(directory, 'server')).toBe(0o755)
    expect(await modeOf(directory, 'tool')).toBe(0o755)
    expect(await modeOf(directory, 'data')).toBe(0o644)
    expect((await modeOf(directory, 'dir')) & 0o7022).toBe(0)
  })

  it('finds the executable by a path with "./"', async () => {
    const { directory } = await unpacked(rawZip([{ ...good, name: 'bin/run', mode: 0o100644 }]), './bin/run')
    expect(await modeOf(directory, 'bin/run')).toBe(0o755)
  })

  it('says, where the archive is not in this folder, that nodes share it', async () => {
    const folder = await temporaryFolder()
    const unpacking = fileBuildStore({ directory: folder }).unpack('bld_1', {
      executablePath: 'server',
      directory: folder,
    })
    await expect(unpacking).rejects.toThrow(`build bld_1 has no archive here: the nodes of a database share ${folder}`)
  })

  it('goes by the rules again: an archive that changed since writes nothing outside', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'out'))
    await plant(folder, 'bld_1', rawZip([good, { name: '../escaped', content: Buffer.from('x') }]))
    const store = fileBuildStore({ directory: folder })
    const directory = join(folder, 'out')
    await expect(store.unpack('bld_1', { executablePath: 'server', directory })).rejects.toThrow(/path traversal/)
    expect((await readdir(folder)).sort()).toEqual(['bld_1.zip', 'out'])
    expect(await readdir(directory)).toEqual([])
  })
})
