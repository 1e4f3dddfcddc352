import { randomUUID } from 'node:crypto'
import { chmod, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildStore, KeyedQueue, type RoomAnswer, StorageUnavailable } from '@matchyard/core/ports'
import { CONFIG_FILE } from './server-files'
import { makePrivate, modifiedAt, namesIn } from './small-files'

/** What a store takes for a build; anything else in the folder is none. */
const BUILD_ID = /^[A-Za-z0-9_-]{1,128}$/
const DRAFT = '.unpacking-'
/** Nothing unpacks for so long; a younger draft may be the work of another process. */
const STALE_DRAFT_MS = 60 * 60 * 1_000

/** Folders that nobody uses, of builds that are still in the store: those used last are kept. */
export const KEPT_UNUSED = 64
/** The disk fills by unpacking alone, so it is looked at after so many. */
export const PRUNED_AFTER = 16

/** Archives unpacked once per build; launches share them read-only or copy from them. */
export class UnpackedBuilds {
  /** An unpacking that several launches wait for is one. */
  private readonly underway = new Map<string, Promise<string>>()
  /** A build is not unpacked while it is removed. */
  private readonly turns = new KeyedQueue()
  /** Builds by the launches under way that use them. */
  private readonly held = new Map<string, number>()
  /** Builds of which a launch began since the prune under way did. */
  private touched = new Set<string>()
  private pruning = false
  /** Somebody asked for another prune while one was under way, which may have looked before there was something to remove. */
  private again = false
  private unpackedSincePrune = 0

  /** `bootId`: part of the folders' names; after a power cut a folder may be there whose files never reached the disk. */
  constructor(
    private readonly folder: string,
    private readonly store: Pick<BuildStore, 'has' | 'unpack'>,
    private readonly bootId: string | null,
  ) {}

  has(buildId: string): Promise<boolean> {
    return this.store.has(buildId)
  }

  /** Whether it can be launched: what is unpacked here needs no store, which may be away. */
  async isThere(buildId: string): Promise<boolean> {
    return (await isFolder(join(this.folder, this.nameOf(buildId)))) || this.store.has(buildId)
  }

  /** The refusal of a launch whose archive this node does not see; undefined where it does, and where its store does not answer: the launch tells that. */
  async lacks(buildId: string | null): Promise<Exclude<RoomAnswer, { ok: true }> | undefined> {
    if (buildId === null || (await this.isThere(buildId).catch(thereUnlessBroken))) return undefined
    return { ok: false, reason: 'no_archive', message: `this node does not see the archive of build ${buildId}` }
  }

  /** The folder of the build, unpacked now if it was not. Throws what the build store throws. */
  ensure(buildId: string, executablePath: string): Promise<string> {
    const running = this.underway.get(buildId)
    if (running !== undefined) return running
    const work = this.turns
      .run(buildId, () => this.unpack(buildId, executablePath))
      .finally(() => this.underway.delete(buildId))
    this.underway.set(buildId, work)
    return work
  }

  /** While this work goes on, and until a prune that is under way has ended, the build's folder stays. */
  async holding<T>(buildId: string, work: () => Promise<T>): Promise<T> {
    this.touched.add(buildId)
    this.held.set(buildId, (this.held.get(buildId) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (this.held.get(buildId) ?? 1) - 1
      if (left > 0) this.held.set(buildId, left)
      else this.held.delete(buildId)
    }
  }

  get isPruneDue(): boolean {
    return !this.pruning && this.unpackedSincePrune >= PRUNED_AFTER
  }

  /**
   * Drops what belongs to another boot, to a build that was removed, or to an unpacking that was cut off, and of the rest all but
   * the ones used last; never a folder that a game server uses, nor the build of a launch. Nothing where it is not known what game
   * servers use: the answer, names of folders as `nameOf` gives them, is then undefined.
   */
  async prune(lookForUses: () => Promise<ReadonlySet<string> | undefined>): Promise<void> {
    this.again = this.pruning
    if (this.pruning) return
    this.pruning = true
    this.unpackedSincePrune = 0
    this.touched = new Set(this.held.keys())
    try {
      const inUse = await lookForUses()
      if (inUse !== undefined) await this.removeUnused(inUse)
    } finally {
      this.pruning = false
    }
    if (this.again) await this.prune(lookForUses)
  }

  /** The folder's name in this boot. */
  nameOf(buildId: string): string {
    return `${buildId}${this.suffix()}`
  }

  private async removeUnused(inUse: ReadonlySet<string>): Promise<void> {
    const unused: { name: string; usedAt: number }[] = []
    for (const name of await namesIn(this.folder)) {
      const usedAt = await modifiedAt(join(this.folder, name))
      if (name.startsWith(DRAFT)) {
        // By the clock of the disk, or nearly.
        if (Date.now() - usedAt >= STALE_DRAFT_MS) await this.remove(name)
      } else if (inUse.has(name)) continue
      else if (await this.isKept(name)) unused.push({ name, usedAt })
      else await this.remove(name)
    }
    unused.sort((a, b) => b.usedAt - a.usedAt)
    for (const { name } of unused.slice(KEPT_UNUSED)) await this.remove(name)
  }

  /** A launch that comes meanwhile waits, and unpacks anew. */
  private remove(name: string): Promise<void> {
    const buildId = this.buildIdOf(name)
    return this.turns.run(buildId, async () => {
      if (!this.touched.has(buildId)) await rm(join(this.folder, name), { recursive: true, force: true })
    })
  }

  private async isKept(name: string): Promise<boolean> {
    const buildId = this.buildIdOf(name)
    return BUILD_ID.test(buildId) && this.store.has(buildId)
  }

  private async unpack(buildId: string, executablePath: string): Promise<string> {
    const target = join(this.folder, this.nameOf(buildId))
    if (await isFolder(target)) {
      await utimes(target, new Date(), new Date()).catch(() => {}) // used now, by the clock of the disk or nearly
      return target
    }
    this.unpackedSincePrune++
    const draft = join(this.folder, `${DRAFT}${randomUUID()}`)
    try {
      await makePrivate(draft)
      await this.store.unpack(buildId, { executablePath, directory: draft })
      // The place over which each launch's configuration is mounted; a read-only folder cannot get one later.
      await writeFile(join(draft, CONFIG_FILE), '', { mode: 0o444, flag: 'wx' })
      await chmod(draft, 0o755) // the game server may be another user; the folder around it stays private
      await unlink(target).catch(() => {}) // a file in the folder's place
      await rename(draft, target)
    } catch (error) {
      // Another service process on the same data may have been first.
      if (!(await isFolder(target))) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    return target
  }

  /** Empty where it is no build's of this boot. */
  private buildIdOf(name: string): string {
    return name.endsWith(this.suffix()) ? name.slice(0, -this.suffix().length) : ''
  }

  private suffix(): string {
    return `@${(this.bootId ?? 'any').slice(0, 8)}`
  }
}

const thereUnlessBroken = (error: unknown): true => {
  if (error instanceof StorageUnavailable) return true
  throw error
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
