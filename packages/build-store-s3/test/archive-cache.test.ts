import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArchiveCache, type CacheDraft } from '../src/archive-cache'

const ROUNDS = Number(process.env.MATCHYARD_CACHE_ROUNDS ?? 30)
const WITHIN_MS = 120_000 + 200 * ROUNDS
const MAX_BYTES = 1_000

/** Archives by a number, each of its own size, and how often each was fetched. */
function shelf() {
  const fetched: number[] = []
  const contentOf = (n: number) => Buffer.alloc(50 + ((n * 137) % 400), n + 1)
  const nameOf = (n: number) => createHash('sha256').update(contentOf(n)).digest('hex')
  const fetch = (n: number) => async (draft: CacheDraft) => {
    fetched.push(n)
    await draft.makeRoom(contentOf(n).length)
    await writeFile(draft.path, contentOf(n))
  }
  return { fetched, contentOf, nameOf, fetch }
}

const sizesIn = async (folder: string) => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.zip'))
  return Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

describe('the archives that a machine keeps', () => {
  it('are fetched once, however many want one at once, and again only after they went', async () => {
    const cache = new ArchiveCache(await temporaryFolder(), MAX_BYTES)
    const { fetched, contentOf, nameOf, fetch } = shelf()
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
    const { nameOf, fetch } = shelf()
    const trouble = new Error('cut off')
    const broken = async (draft: CacheDraft) => {
      await writeFile(draft.path, 'half')
      throw trouble
    }
    const uses = await Promise.allSettled([1, 2, 3].map(() => cache.using(nameOf(0), broken, async () => {})))
    for (const use of uses) expect(use).toEqual({ status: 'rejected', reason: trouble })
    expect(await readdir(folder)).toEqual([])
    await cache.using(nameOf(0), fetch(0), async () => {})
    expect(await sizesIn(folder)).toHaveLength(1)
  })

  it('keeps to its bound, and never drops what is in use', { timeout: WITHIN_MS }, async () => {
    const step = fc.record({
      archive: fc.nat(11),
      node: fc.nat(1),
      kind: fc.constantFrom('use', 'hold', 'end', 'drop'),
    })
    let evictions = 0
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const folder = await temporaryFolder()
      // Two on one folder, as two processes of a node are.
      const nodes = [new ArchiveCache(folder, MAX_BYTES), new ArchiveCache(folder, MAX_BYTES)] as const
      const { contentOf, nameOf, fetch, fetched } = shelf()
      const held: { archive: number; file: string; end: () => void; over: Promise<void> }[] = []
      for (const { archive, node, kind } of steps) {
        const cache = nodes[node === 0 ? 0 : 1]
        if (kind === 'use') {
          const found = await cache.using(nameOf(archive), fetch(archive), async (file) => readFile(file))
          expect(found).toEqual(contentOf(archive))
        } else if (kind === 'drop') await cache.drop(nameOf(archive))
        else if (kind === 'end') {
          const [first] = held.splice(0, 1)
          first?.end()
          await first?.over
        } else {
          await new Promise<void>((begun) => {
            const over = cache.using(nameOf(archive), fetch(archive), async (file) => {
              await new Promise<void>((end) => {
                held.push({ archive, file, end, over: Promise.resolve().then(() => over) })
                begun()
              })
            })
          })
        }
        for (const { archive: one, file } of held) expect(await readFile(file)).toEqual(contentOf(one))
        // What is in use was let in whatever there was; nothing that is not may be above the bound.
        const used = new Set(held.map(({ archive: one }) => one))
        const inUse = sum([...used].map((one) => contentOf(one).length))
        expect(sum(await sizesIn(folder))).toBeLessThanOrEqual(Math.max(MAX_BYTES, inUse))
      }
      for (const { end } of held) end()
      await Promise.all(held.map(({ over }) => over))
      for (const cache of nodes) await cache.sweep()
      expect(sum(await sizesIn(folder))).toBeLessThanOrEqual(MAX_BYTES)
      expect((await readdir(folder)).filter((name) => !name.endsWith('.zip'))).toEqual([])
      evictions += fetched.length - new Set(fetched).size
    })
    await fc.assert(property, { numRuns: ROUNDS })
    // A run in which nothing ever went would have tested nothing.
    expect(evictions).toBeGreaterThan(0)
  })

  it('are rid of what processes that are gone had in hand, and of nothing else', async () => {
    const folder = await temporaryFolder()
    const cache = new ArchiveCache(folder, MAX_BYTES)
    await mkdir(folder, { recursive: true })
    const gone = 2 ** 22 + 1 // above what Linux gives out
    for (const name of [`fetching-${gone}-x`, `held-${gone}-x`, `fetching-${process.ppid}-x`, 'notes.txt'])
      await writeFile(join(folder, name), 'x')
    await cache.sweep()
    expect((await readdir(folder)).sort()).toEqual([`fetching-${process.ppid}-x`, 'notes.txt'])
  })
})
