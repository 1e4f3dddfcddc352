import { createHash } from 'node:crypto'
// The test's own reads are synchronous and short, so that most concurrent work is the cache's.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { ArchiveCache, type CacheDraft } from '../../src/s3/archive-cache'

export const MAX_BYTES = 500
/** Error of a fetch that is cut off half-way. */
export const TROUBLE = new Error('cut off')
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** Returns the archive with a number. The first eight have sizes of 50 to 335 bytes; about three of them fit. */
export const contentOf = (n: number) => Buffer.alloc(50 + ((n * 137) % 400), n + 1)
export const nameOf = (n: number) => createHash('sha256').update(contentOf(n)).digest('hex')

/** Compares without a matcher, which would walk through every byte. */
const expectWhole = (archive: number, file: string) =>
  expect(readFileSync(file).equals(contentOf(archive)), `archive ${archive} is whole`).toBe(true)

export const sizesIn = (folder: string): number[] =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.zip') ? [statSync(join(folder, name)).size] : []))

export interface Action {
  /**
   * `break`: like `use`, but when this action's fetch is the one that runs, the fetch is cut off. `end`: ends the
   * longest hold.
   */
  readonly kind: 'use' | 'hold' | 'end' | 'drop' | 'break'
  readonly archive: number
  /** Caches 0 and 1 are two processes of one node, on one folder; 2 is another node. */
  readonly cache: 0 | 1 | 2
}

interface Held extends Action {
  readonly file: string
  end(): void
  readonly over: Promise<void>
}

/** Three caches on two folders, with the invariants that hold under any concurrent actions. */
export class CacheWorld {
  private readonly caches: readonly ArchiveCache[]
  private readonly folders: readonly string[]
  private held: Held[] = []
  /** Running fetches of this step, by cache and archive; `fetched` lists all fetches of the step. */
  private readonly underway = new Set<string>()
  private fetched: string[] = []
  private actions: readonly Action[] = []
  /**
   * Number of repeated fetches of archives that had been removed. `shared` counts fetches for which several actions
   * waited.
   */
  evictions = 0
  shared = 0
  private readonly known = new Set<string>()
  private readonly dropped = new Set<string>()

  constructor(node: string, other: string) {
    this.folders = [node, node, other]
    this.caches = this.folders.map((folder) => new ArchiveCache(folder, MAX_BYTES))
  }

  /** Starts all actions of a step at once, and waits for all of them. */
  async step(actions: readonly Action[]): Promise<void> {
    this.actions = actions
    this.fetched = []
    const heldBefore = this.held.filter(({ cache }) => cache === 2).map(({ archive }) => archive)
    await Promise.all(actions.map((action) => this.act(action)))
    for (const action of actions) if (action.kind === 'drop') this.dropped.add(keyOf(action))
    for (const action of actions) this.checkFetches(action, heldBefore)
    this.check()
  }

  /** Ends all holds, then sweeps and checks the caches. */
  async close(): Promise<void> {
    for (const { end } of this.held) end()
    await Promise.all(this.held.map(({ over }) => over))
    this.held = []
    for (const cache of this.caches) await cache.sweep()
    this.check()
  }

  private async act(action: Action): Promise<void> {
    const { kind, archive, cache } = action
    if (kind === 'drop') return this.caches[cache]?.drop(nameOf(archive))
    if (kind === 'end') {
      const [first] = this.held.splice(0, 1)
      first?.end()
      return first?.over
    }
    if (kind === 'hold') return this.hold(action)
    return this.use(action, () => turn())
  }

  private hold(action: Action): Promise<void> {
    return new Promise((begun, failed) => {
      const over: Promise<void> = this.use(action, async (file) => {
        await new Promise<void>((end) => {
          this.held.push({ ...action, file, end, over: turn().then(() => over) })
          begun()
        })
      })
      over.then(begun, failed)
    })
  }

  private async use(action: Action, work: (file: string) => Promise<void>): Promise<void> {
    const { archive, cache } = action
    const handedOut = async (file: string) => {
      expectWhole(archive, file)
      await work(file)
      // No process may have removed or changed the file meanwhile.
      expectWhole(archive, file)
    }
    const using = this.caches[cache]?.using(nameOf(archive), (draft) => this.fetch(action, draft), handedOut)
    await using?.catch((error: unknown) => {
      const others = this.actions.filter((other) => keyOf(other) === keyOf(action))
      if (error !== TROUBLE || !others.some(({ kind }) => kind === 'break')) throw error
    })
  }

  private async fetch(action: Action, { path, makeRoom }: CacheDraft): Promise<void> {
    const key = keyOf(action)
    const content = contentOf(action.archive)
    expect(this.underway, 'two fetches of one archive at once').not.toContain(key)
    this.underway.add(key)
    this.fetched.push(key)
    try {
      await makeRoom(content.length)
      writeFileSync(path, content.subarray(0, 20))
      await turn()
      if (action.kind === 'break') throw TROUBLE
      appendFileSync(path, content.subarray(20))
    } finally {
      this.underway.delete(key)
    }
    if (this.known.has(key)) this.evictions++
    this.known.add(key)
  }

  private checkFetches(action: Action, heldBefore: readonly number[]): void {
    const alike = this.actions.filter((other) => keyOf(other) === keyOf(action))
    const times = this.fetched.filter((key) => key === keyOf(action)).length
    if (times === 1 && alike.filter(({ kind }) => kind === 'use' || kind === 'hold').length > 1) this.shared++
    // On a folder of its own, no other process removes an archive that an action waits for or holds. Only a drop does,
    // so dropped archives are not checked.
    if (action.cache !== 2 || this.dropped.has(keyOf(action))) return
    if (!alike.some(({ kind }) => kind === 'break')) expect(times).toBeLessThanOrEqual(1)
    if (heldBefore.includes(action.archive) && !this.actions.some(({ kind }) => kind === 'end')) expect(times).toBe(0)
  }

  private check(): void {
    for (const folder of new Set(this.folders)) {
      const here = this.held.filter(({ cache }) => this.folders[cache] === folder)
      for (const { archive, file } of here) expectWhole(archive, file)
      // Archives in use may exceed the bound; archives not in use must not.
      const inUse = sum([...new Set(here.map(({ archive }) => archive))].map((one) => contentOf(one).length))
      expect(sum(sizesIn(folder))).toBeLessThanOrEqual(Math.max(MAX_BYTES, inUse))
      const inHand = readdirSync(folder)
        .filter((name) => !name.endsWith('.zip'))
        .sort()
      expect(inHand).toEqual([...new Set(here.map(({ file }) => basename(file)))].sort())
    }
  }
}

const keyOf = ({ cache, archive }: Action) => `${cache}/${archive}`
