import { randomUUID } from 'node:crypto'
import { chmod, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildStore, KeyedQueue, type RoomAnswer, StorageUnavailable } from '@matchyard/core/ports'
import { CONFIG_FILE } from './server-files'
import { makePrivate, modifiedAt, namesIn } from './small-files'

/** The form of build ids. A folder whose name has another form is not the folder of a build. */
const BUILD_ID = /^[A-Za-z0-9_-]{1,128}$/
const DRAFT = '.unpacking-'
/**
 * Milliseconds after which a draft (a folder into which a build is being unpacked) counts as abandoned: no unpacking
 * takes so long. A younger draft may belong to another process.
 */
const STALE_DRAFT_MS = 60 * 60 * 1_000

/**
 * The number of unused folders that are kept, among the builds that are still in the store. The folders that were used
 * last are kept.
 */
export const KEPT_UNUSED = 64
/** The number of unpacked builds after which a prune is due, because only unpacking fills the disk. */
export const PRUNED_AFTER = 16

/** Unpacks the archive of each build once. Launches use the unpacked folder read-only, or copy it. */
export class UnpackedBuilds {
  /** Unpackings in progress, by build id. Concurrent launches of a build wait for the same unpacking. */
  private readonly underway = new Map<string, Promise<string>>()
  /** Makes unpackings and removals of the same build run one after another. */
  private readonly turns = new KeyedQueue()
  /** By build id: the number of launches in progress that use the build. */
  private readonly held = new Map<string, number>()
  /** Builds that had a launch in progress at some time since the current prune began. */
  private touched = new Set<string>()
  private pruning = false
  /**
   * Whether another prune was requested during the current prune. The current prune may have missed folders that became
   * unused meanwhile.
   */
  private again = false
  private unpackedSincePrune = 0

  /**
   * The folder names contain `bootId`: after a power failure a folder may exist although its files never reached the
   * disk.
   */
  constructor(
    private readonly folder: string,
    private readonly store: Pick<BuildStore, 'has' | 'unpack'>,
    private readonly bootId: string | null,
  ) {}

  has(buildId: string): Promise<boolean> {
    return this.store.has(buildId)
  }

  /**
   * Whether the build can be launched. A build that is already unpacked can be launched even when the store is
   * unreachable.
   */
  async isThere(buildId: string): Promise<boolean> {
    return (await isFolder(join(this.folder, this.nameOf(buildId)))) || this.store.has(buildId)
  }

  /**
   * Returns a refusal when the archive is not in the store. Returns undefined when the archive is in the store, or when
   * the store is unreachable (then the launch reports that).
   */
  async lacks(buildId: string | null): Promise<Exclude<RoomAnswer, { ok: true }> | undefined> {
    if (buildId === null || (await this.isThere(buildId).catch(thereUnlessBroken))) return undefined
    return { ok: false, reason: 'no_archive', message: `this node does not see the archive of build ${buildId}` }
  }

  /** Returns the folder of the build, and unpacks the build if necessary. Rejects with the error of the build store. */
  ensure(buildId: string, executablePath: string): Promise<string> {
    const running = this.underway.get(buildId)
    if (running !== undefined) return running
    const work = this.turns
      .run(buildId, () => this.unpack(buildId, executablePath))
      .finally(() => this.underway.delete(buildId))
    this.underway.set(buildId, work)
    return work
  }

  /** Runs `work`, and keeps the folder of the build until `work` and a prune in progress have ended. */
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
   * Removes the folders of earlier boots, of removed builds and of interrupted unpackings. Of the other unused folders,
   * keeps the 64 that were used last. Never removes a folder that a game server or a launch uses. `lookForUses` returns
   * the names of the used folders (see `nameOf`), or undefined when they are unknown; then no folder is removed.
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

  /** Returns the name of the build's folder in this boot. */
  nameOf(buildId: string): string {
    return `${buildId}${this.suffix()}`
  }

  private async removeUnused(inUse: ReadonlySet<string>): Promise<void> {
    const unused: { name: string; usedAt: number }[] = []
    for (const name of await namesIn(this.folder)) {
      const usedAt = await modifiedAt(join(this.folder, name))
      if (name.startsWith(DRAFT)) {
        // `usedAt` was written by the clock of the disk, which may differ a little from this clock.
        if (Date.now() - usedAt >= STALE_DRAFT_MS) await this.remove(name)
      } else if (inUse.has(name)) continue
      else if (await this.isKept(name)) unused.push({ name, usedAt })
      else await this.remove(name)
    }
    unused.sort((a, b) => b.usedAt - a.usedAt)
    for (const { name } of unused.slice(KEPT_UNUSED)) await this.remove(name)
  }

  /** Removes a folder. If the build is launched at the same time, the launch waits, and unpacks the build again. */
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
      await utimes(target, new Date(), new Date()).catch(() => {}) // mark the folder as used now
      return target
    }
    this.unpackedSincePrune++
    const draft = join(this.folder, `${DRAFT}${randomUUID()}`)
    try {
      await makePrivate(draft)
      await this.store.unpack(buildId, { executablePath, directory: draft })
      // The configuration of each launch is mounted over this file. The file must be created now, because the folder is
      // read-only later.
      await writeFile(join(draft, CONFIG_FILE), '', { mode: 0o444, flag: 'wx' })
      await chmod(draft, 0o755) // the game server may run as another user; the parent folder stays private
      await unlink(target).catch(() => {}) // removes a file in the folder's place
      await rename(draft, target)
    } catch (error) {
      // Another service process with the same data folder may have unpacked the build first.
      if (!(await isFolder(target))) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    return target
  }

  /** Returns the build id from a folder name; empty when the folder is not of this boot. */
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
