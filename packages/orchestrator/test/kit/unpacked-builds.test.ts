import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildStore } from '@matchyard/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEPT_UNUSED, PRUNED_AFTER, UnpackedBuilds } from '../../src/kit/unpacked-builds'

let folder: string
let stored: Set<string>
let builds: UnpackedBuilds
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'builds-'))
  stored = new Set()
  const store = { has: async (buildId: string) => stored.has(buildId), unpack: async () => {} }
  builds = new UnpackedBuilds(folder, store, null)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const nobody = async () => new Set<string>()
const kept = async () => (await readdir(folder)).map((name) => name.replace('@any', '')).sort()
const unpack = (buildId: string) => {
  stored.add(buildId)
  return builds.ensure(buildId, 'server')
}

describe('unpacked builds', () => {
  it('that were removed go, those that game servers or launches use stay', async () => {
    for (const buildId of ['gone', 'run', 'launching', 'quick']) await unpack(buildId)
    stored.clear()
    let end = () => {}
    const launch = builds.holding('launching', () => new Promise<void>((resolve) => (end = resolve)))
    await builds.prune(async () => {
      // A use that begins and ends while the used builds are determined.
      await builds.holding('quick', async () => {})
      return new Set([builds.nameOf('run')])
    })
    expect(await kept()).toEqual(['launching', 'quick', 'run'])
    end()
    await launch
    await builds.prune(nobody)
    expect(await kept()).toEqual([])
  })

  it('that nobody uses are no more than a number, the ones used last', async () => {
    for (let n = 0; n < KEPT_UNUSED + 3; n++) await utimes(await unpack(`bld_${n}`), n, n)
    await unpack('bld_0')
    await builds.prune(nobody)
    expect(await kept()).toHaveLength(KEPT_UNUSED)
    expect(await kept()).toContain('bld_0')
    for (const n of [1, 2, 3]) expect(await kept()).not.toContain(`bld_${n}`)
  })

  it('are looked at again after some were unpacked, and left alone where it is not known who uses them', async () => {
    for (let n = 0; n < PRUNED_AFTER; n++) {
      expect(builds.isPruneDue).toBe(false)
      await unpack(`bld_${n}`)
    }
    expect(builds.isPruneDue).toBe(true)
    stored.clear()
    await builds.prune(async () => undefined)
    expect(await kept()).toHaveLength(PRUNED_AFTER)
    expect(builds.isPruneDue).toBe(false)
  })

  it('are unpacked once for all who wait, and a failure is told to each', async () => {
    let unpacked = 0
    const trouble = new Error('cut off')
    const store = {
      has: async () => true,
      unpack: async () => {
        unpacked++
        if (unpacked === 1) throw trouble
      },
    }
    const shared = new UnpackedBuilds(folder, store, null)
    const first = await Promise.allSettled([shared.ensure('bld_1', 'server'), shared.ensure('bld_1', 'server')])
    expect(first).toEqual([
      { status: 'rejected', reason: trouble },
      { status: 'rejected', reason: trouble },
    ])
    const again = await Promise.all([shared.ensure('bld_1', 'server'), shared.ensure('bld_1', 'server')])
    expect(new Set(again)).toEqual(new Set([join(folder, 'bld_1@any')]))
    expect(unpacked).toBe(2)
  })
})

it('what stands among the unpacked builds and is none is removed, and stops nothing', async () => {
  const store = {
    async has(buildId: string) {
      if (!/^bld_\w+$/.test(buildId)) throw new TypeError('not a build id')
      return true
    },
    unpack: async () => {},
  } satisfies Pick<BuildStore, 'has' | 'unpack'>
  const builds = new UnpackedBuilds(folder, store, 'boot-one')
  for (const name of ['lost+found', '.x', 'a name@boot-one', '@boot-one']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'bld_1@boot-one'), 'a file in its place')
  const root = await builds.ensure('bld_1', 'server')
  expect(await readdir(root)).toEqual(['its_svc.json'])
  await builds.prune(nobody)
  expect(await readdir(folder)).toEqual(['bld_1@boot-one'])
  // After a restart of the machine, files of a folder may be missing on the disk.
  await new UnpackedBuilds(folder, store, 'boot-two').prune(nobody)
  expect(await readdir(folder)).toEqual([])
})
