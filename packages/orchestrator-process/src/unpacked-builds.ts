import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Archives unpacked once per build; launches share them read-only or copy from them. */
export class UnpackedBuilds {
  private readonly underway = new Map<string, Promise<string>>()

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

  /** A launch's own copy, for where the shared folder cannot be mounted read-only; without the place for the configuration. */
  async copy(source: string, target: string): Promise<void> {
    await cp(source, target, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true, force: false })
    await rm(join(target, CONFIG_FILE), { force: true })
  }

  /** Drops what belongs to another boot, to a build that was removed, or to an unpacking that was cut off. */
  async prune(inUse: ReadonlySet<string>): Promise<void> {
    const suffix = this.suffix()
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name)
      const buildId = name.endsWith(suffix) ? name.slice(0, -suffix.length) : ''
      const wanted = name.startsWith(DRAFT)
        ? Date.now() - (await modifiedAt(path)) < STALE_DRAFT_MS
        : BUILD_ID.test(buildId) && (inUse.has(buildId) || (await this.store.has(buildId)))
      if (!wanted) await rm(path, { recursive: true, force: true })
    }
  }

  private async unpack(buildId: string, executablePath: string): Promise<string> {
    const target = join(this.folder, `${buildId}${this.suffix()}`)
    if (await isFolder(target)) return target
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

  private suffix(): string {
    return `@${(this.bootId ?? 'any').slice(0, 8)}`
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
