import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildStore } from '@matchyard/core'
import { orchestratorProbe } from '@matchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEPT_UNUSED, PRUNED_AFTER, UnpackedBuilds } from '../src/unpacked-builds'
import { processHarness } from './harness'

let folder: string
let stored: Set<string>
let builds: UnpackedBuilds
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'builds-'))
  stored = new Set()
  const store = { has: async (buildId: string) => stored.has(buildId), unpack: async () => {} }
  builds = new UnpackedBuilds(folder, store as unknown as BuildStore, null)
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
      // Begun and over while it was looked who uses what.
      await builds.holding('quick', async () => {})
      return new Set(['run'])
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
})

it('an ended game server without a readable record keeps no build from being removed, also while the service runs', async () => {
  const subject = await processHarness().open()
  try {
    const ended = join(subject.dataDirectory, 'servers', 'srv_ended', '1')
    await mkdir(ended, { recursive: true })
    await writeFile(join(ended, 'exit.json'), JSON.stringify({ code: 0, signal: null, at: 1 }))
    await writeFile(join(ended, 'record.json'), '{')
    const spec = await orchestratorProbe.specFor(subject)
    const has = subject.store.has.bind(subject.store)
    const isUploaded = new Set<string>()
    subject.store.has = async (buildId) => isUploaded.has(buildId) || has(buildId)
    subject.store.unpack = async () => {} // no program in it: it is unpacked, and does not start
    for (let n = 0; n < PRUNED_AFTER * 2; n++) {
      const build = { type: 'zip', buildId: `bld_up${n}`, executablePath: 'server' } as const
      isUploaded.add(build.buildId)
      expect(await subject.orchestrator.launch({ ...spec, instanceId: `srv_${n}`, build })).toMatchObject({ ok: false })
      isUploaded.delete(build.buildId)
    }
    expect((await readdir(join(subject.dataDirectory, 'builds'))).length).toBeLessThan(PRUNED_AFTER)
  } finally {
    await subject.dispose()
  }
})
