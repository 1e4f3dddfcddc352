import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BuildStore } from '@matchyard/core'
import { makePrivate, namesIn } from './attempt-files'
import { modifiedAt } from './layout'
import { hasCode } from './small-files'

/** What a store takes for a build; anything else in the folder is none. */
const BUILD_ID = /^[A-Za-z0-9_-]{1,128}$/
const CONFIG_FILE = 'its_svc.json'
const DRAFT = '.unpacking-'
/** Nothing unpacks for so long; a younger draft may be the work of another process. */
const STALE_DRAFT_MS = 60 * 60 * 1_000

/** Folders that nobody uses, of builds that are still in the store: those used last are kept. */
export const KEPT_UNUSED = 64
/** The disk fills by unpacking alone, so it is looked at after so many. */
export const PRUNED_AFTER = 16

/** Archives unpacked once per build; launches share them read-only or copy from them. */
export class UnpackedBuilds {
  private readonly underway = new Map<string, Promise<string>>()
  private readonly removals = new Map<string, Promise<void>>()
  /** Builds by the launches under way that use them. */
  private readonly held = new Map<string, number>()
  /** Builds of which a launch began since the prune under way did. */
  private touched = new Set<string>()
  private pruning = false
  private unpackedSincePrune = 0

  constructor(
    private readonly folder: string,
    private readonly store: BuildStore,
    // Part of the name: after a power cut a folder may be there whose files never reached the disk.
    private readonly bootId: string | null,
  ) {}

  /** The folder of the build, unpacked now if it was not. Throws what the build store throws. */
  ensure(buildId: string, executablePath: string): Promise<string> {
    const running = this.underway.get(buildId)
    if (running !== undefined) return running
    const work = this.unpack(buildId, executablePath).finally(() => this.underway.delete(buildId))
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

  /** A launch's own copy, for where the shared folder cannot be mounted read-only; without the place for the configuration. */
  async copy(source: string, target: string): Promise<void> {
    await cp(source, target, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true, force: false })
    await rm(join(target, CONFIG_FILE), { force: true })
  }

  /**
   * Drops what belongs to another boot, to a build that was removed, or to an unpacking that was cut off, and of the rest all but
   * the ones used last; never what a game server or a launch uses. Nothing where it is not known what game servers use.
   */
  async prune(lookForUses: () => Promise<ReadonlySet<string> | undefined>): Promise<void> {
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
  }

  private async removeUnused(inUse: ReadonlySet<string>): Promise<void> {
    const suffix = this.suffix()
    const unused: { buildId: string; usedAt: number }[] = []
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name)
      const buildId = name.endsWith(suffix) ? name.slice(0, -suffix.length) : ''
      if (name.startsWith(DRAFT)) {
        const isStale = Date.now() - (await modifiedAt(path)) >= STALE_DRAFT_MS
        if (isStale) await rm(path, { recursive: true, force: true })
      } else if (!BUILD_ID.test(buildId)) await rm(path, { recursive: true, force: true })
      else if (inUse.has(buildId)) continue
      else if (await this.store.has(buildId)) unused.push({ buildId, usedAt: await modifiedAt(path) })
      else await this.remove(buildId)
    }
    unused.sort((a, b) => b.usedAt - a.usedAt)
    for (const { buildId } of unused.slice(KEPT_UNUSED)) await this.remove(buildId)
  }

  /** A launch that comes meanwhile waits, and unpacks anew. */
  private async remove(buildId: string): Promise<void> {
    if (this.touched.has(buildId)) return
    const removal = rm(this.pathOf(buildId), { recursive: true, force: true })
    this.removals.set(
      buildId,
      removal.catch(() => {}),
    )
    await removal.finally(() => this.removals.delete(buildId))
  }

  private async unpack(buildId: string, executablePath: string): Promise<string> {
    await this.removals.get(buildId)
    const target = this.pathOf(buildId)
    if (await isFolder(target)) {
      await utimes(target, new Date(), new Date()).catch(() => {}) // used now, by the clock of the disk or nearly
      return target
    }
    this.unpackedSincePrune++
    const draft = join(this.folder, `${DRAFT}${randomUUID()}`)
    try {
      await makePrivate(draft)
      await this.store.unpack(buildId, { executablePath, directory: draft })
      // The place on which each launch's configuration is mounted; a read-only folder cannot get one later.
      await writeFile(join(draft, CONFIG_FILE), '', { mode: 0o444, flag: 'wx' })
      await chmod(draft, 0o755) // the game server may be another user; the folder around it stays private
      await unlink(target).catch(() => {}) // a file in the folder's place
      await rename(draft, target)
    } catch (error) {
      // Another service process on the same data was first.
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    return target
  }

  private pathOf(buildId: string): string {
    return join(this.folder, `${buildId}${this.suffix()}`)
  }

  private suffix(): string {
    return `@${(this.bootId ?? 'any').slice(0, 8)}`
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Which build an unpacked folder is of. */
export const buildIdOf = (path: string): string => basename(path).replace(/@.*$/, '')
