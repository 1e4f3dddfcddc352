import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArchiveRefused } from '../../src/kit/index'
import { ArchiveCache, type CacheDraft } from '../../src/s3/archive-cache'
import { type Action, CacheWorld, contentOf, MAX_BYTES, nameOf, sizesIn, TROUBLE } from './cache-world'

/** 3,000 rounds under `npm run prove -- s3`. */
const ROUNDS = Number(process.env.MATCHYARD_CACHE_ROUNDS ?? 300)
const BESIDE = 4
const WITHIN_MS = 120_000 + 200 * ROUNDS

/** Fetches archives by a number, and records each fetch. */
function shelf() {
  const fetched: number[] = []
  const fetch = (n: number) => async (draft: CacheDraft) => {
    fetched.push(n)
    await draft.makeRoom(contentOf(n).length)
    await writeFile(draft.path, contentOf(n))
  }
  return { fetched, fetch }
}

describe('the archives that a machine keeps', () => {
  it('are fetched once, however many want one at once, and again only after they went', async () => {
    const cache = new ArchiveCache(await temporaryFolder(), MAX_BYTES)
    const { fetched, fetch } = shelf()
    const uses = Array.from({ length: 50 }, (_, use) =>
      cache.using(nameOf(use % 2), fetch(use % 2), async (file) => readFile(file)),
    )
    for (const [use, content] of (await Promise.all(uses)).entries()) expect(content).toEqual(contentOf(use % 2))
    expect(fetched.sort()).toEqual([0, 1])
    await cache.drop(nameOf(0))
    await cache.using(nameOf(0), fetch(0), async () => {})
    expect(fetched).toEqual([0, 1, 0])
  })

  it('that could not be fetched are told so to each who waits, and fetched again by the next', async () => {
    const folder = await temporaryFolder()
    const cache = new ArchiveCache(folder, MAX_BYTES)
    const { fetch } = shelf()
    const broken = async (draft: CacheDraft) => {
      await writeFile(draft.path, 'half')
      throw TROUBLE
    }
    const uses = await Promise.allSettled([1, 2, 3].map(() => cache.using(nameOf(0), broken, async () => {})))
    for (const use of uses) expect(use).toEqual({ status: 'rejected', reason: TROUBLE })
    expect(await readdir(folder)).toEqual([])
    await cache.using(nameOf(0), fetch(0), async () => {})
    expect(sizesIn(folder)).toHaveLength(1)
  })

  it('keeps to its bound, and never drops what is in use', { timeout: WITHIN_MS }, async () => {
    const action = fc.record<Action>({
      archive: fc.nat(7),
      cache: fc.constantFrom(0, 1, 2),
      kind: fc.constantFrom('use', 'use', 'hold', 'hold', 'end', 'drop', 'break'),
    })
    const steps = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 9 })
    const scratch = await temporaryFolder()
    let [evictions, shared] = [0, 0]
    const property = fc.asyncProperty(steps, async (steps) => {
      const [node, other] = [await mkdtemp(join(scratch, 'node-')), await mkdtemp(join(scratch, 'other-'))]
      const world = new CacheWorld(node, other)
      for (const step of steps) await world.step(step)
      await world.close()
      // Removed in each round: thousands of folders could not be removed in the time limit at the end.
      for (const folder of [node, other]) await rm(folder, { recursive: true })
      evictions += world.evictions
      shared += world.shared
    })
    // Several properties run side by side, because a round mostly waits for the disk. Each round has its own world.
    const share = { numRuns: Math.ceil(ROUNDS / BESIDE) }
    await Promise.all(Array.from({ length: BESIDE }, () => fc.assert(property, share)))
    // Without evictions and without shared fetches, the rounds would have tested nothing.
    expect(evictions).toBeGreaterThan(ROUNDS / 10)
    expect(shared).toBeGreaterThan(ROUNDS / 10)
  })

  it('keeps to its bound too where two processes fetch at once, of which neither knows what the other brings', async () => {
    const folder = await temporaryFolder()
    const caches = [new ArchiveCache(folder, MAX_BYTES), new ArchiveCache(folder, MAX_BYTES)]
    const { fetch } = shelf()
    await caches[0]?.using(nameOf(1), fetch(1), async () => {})
    const both = meeting(2)
    const over = meeting(3)
    const uses = [4, 7].map((n, at) => {
      const fetchTogether = async (draft: CacheDraft) => {
        await draft.makeRoom(contentOf(n).length)
        await both()
        await writeFile(draft.path, contentOf(n))
      }
      return caches[at]?.using(nameOf(n), fetchTogether, over)
    })
    await expect.poll(() => sizesIn(folder).sort()).toEqual([4, 7].map((n) => contentOf(n).length))
    await Promise.all([over(), ...uses])
  })

  it('is handed out though another process makes room all the time', async () => {
    const folder = await temporaryFolder()
    // With a bound of 0 bytes, only archives in use may stay.
    const [cache, other] = [new ArchiveCache(folder, 0), new ArchiveCache(folder, 0)]
    const { fetch, fetched } = shelf()
    let isOver = false
    const sweeping = (async () => {
      while (!isOver) await other.sweep()
    })()
    for (let times = 1; times <= 20; times++) {
      expect(await cache.using(nameOf(0), fetch(0), (file) => readFile(file))).toEqual(contentOf(0))
      expect(fetched).toHaveLength(times)
    }
    isOver = true
    await sweeping
  })

  it('is not refused to one because it was refused to another who asked first', async () => {
    const cache = new ArchiveCache(await temporaryFolder(), MAX_BYTES)
    const { fetch } = shelf()
    const asked = meeting(2)
    const refused = async () => {
      await asked()
      throw new ArchiveRefused('its build is gone')
    }
    const uses = [refused, fetch(0)].map((one) => cache.using(nameOf(0), one, (file) => readFile(file)))
    await asked()
    await expect(uses[0]).rejects.toThrow('its build is gone')
    expect(await uses[1]).toEqual(contentOf(0))
  })

  it('is let go of by a drop at once, and stays with whoever has it in use', async () => {
    const cache = new ArchiveCache(await temporaryFolder(), MAX_BYTES)
    const { fetch, fetched } = shelf()
    await cache.using(nameOf(0), fetch(0), async (file) => {
      await cache.drop(nameOf(0))
      await cache.using(nameOf(0), fetch(0), async (other) => expect(other).not.toBe(file))
      expect(await readFile(file)).toEqual(contentOf(0))
    })
    expect(fetched).toEqual([0, 0])
  })

  it('are rid of what processes that are gone had in hand, and of nothing else', async () => {
    const folder = await temporaryFolder()
    const cache = new ArchiveCache(folder, MAX_BYTES)
    await mkdir(folder, { recursive: true })
    const gone = 2 ** 22 + 1 // above the largest process id of Linux
    // In a container, the service's previous process had the same process id.
    for (const mark of [gone, `${gone}.7`, `${process.pid}.7`, process.ppid])
      for (const kind of ['fetching', 'held']) await writeFile(join(folder, `${kind}-${mark}-x`), 'x')
    await writeFile(join(folder, 'notes.txt'), 'x')
    await cache.using(nameOf(0), shelf().fetch(0), async (file) => {
      await cache.drafting(async (draft) => {
        await writeFile(draft.path, 'half')
        await cache.sweep()
        const ours = [basename(draft.path), basename(file), `${nameOf(0)}.zip`]
        const others = [`fetching-${process.ppid}-x`, `held-${process.ppid}-x`, 'notes.txt']
        expect((await readdir(folder)).sort()).toEqual([...ours, ...others].sort())
      })
    })
  })
})

/** Returns a function for `count` callers. Its promises resolve once it has been called `count` times. */
function meeting(count: number): () => Promise<void> {
  let meet = () => {}
  const all = new Promise<void>((resolve) => {
    meet = resolve
  })
  let come = 0
  return () => {
    if (++come === count) meet()
    return all
  }
}
