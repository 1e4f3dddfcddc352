import { randomUUID } from 'node:crypto'
import { chmod, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildStore } from '@matchyard/core'
import { CONFIG_FILE } from './game-environment'
import { KeyedLock } from './keyed-lock'
import { makePrivate, namesIn } from './layout'

const DRAFT = '.unpacking-'
/** What a store takes for a build; anything else in the folder is none. */
const BUILD_ID = /^[A-Za-z0-9_-]{1,128}$/
/** Nothing unpacks for so long; a younger draft may be the work of another process. */
const STALE_DRAFT_MS = 60 * 60 * 1_000

/** Archives unpacked once per build and mounted read-only into any number of containers. */
export class UnpackedBuilds {
  private readonly turns = new KeyedLock()

  constructor(
    private readonly folder: string,
    private readonly store: Pick<BuildStore, 'has' | 'unpack'>,
    // Part of the name: after a power cut a folder may be there whose files never reached the disk.
    private readonly bootId: string,
  ) {}

  has(buildId: string): Promise<boolean> {
    return this.store.has(buildId)
  }

  /** The folder of the build, unpacked now if it was not. Throws what the build store throws. */
  ensure(buildId: string, executablePath: string): Promise<string> {
    return this.turns.run(buildId, async () => {
      const target = join(this.folder, `${buildId}${this.suffix()}`)
      if (await isFolder(target)) return target
      const draft = join(this.folder, `${DRAFT}${randomUUID()}`)
      try {
        await makePrivate(draft)
        await this.store.unpack(buildId, { executablePath, directory: draft })
        // The place over which each launch's configuration is mounted; a read-only folder cannot get one later.
        await writeFile(join(draft, CONFIG_FILE), '', { mode: 0o444, flag: 'wx' })
        await chmod(draft, 0o755) // the game server is another user; the folder around it stays private
        await unlink(target).catch(() => {}) // a file in the folder's place
        await rename(draft, target)
      } catch (error) {
        // Another service process on the same data may have been first.
        if (!(await isFolder(target))) throw error
      } finally {
        await rm(draft, { recursive: true, force: true })
      }
      return target
    })
  }

  /** Drops what belongs to a build that was removed and runs nowhere, and what an unpacking left that was cut off. */
  async prune(mounted: ReadonlySet<string>, now: number): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name)
      const wanted = name.startsWith(DRAFT)
        ? now - (await changedAt(path)) < STALE_DRAFT_MS
        : mounted.has(name) || (await this.isKept(name))
      if (!wanted) await rm(path, { recursive: true, force: true })
    }
  }

  private async isKept(name: string): Promise<boolean> {
    const buildId = name.endsWith(this.suffix()) ? name.slice(0, -this.suffix().length) : ''
    return BUILD_ID.test(buildId) && this.store.has(buildId)
  }

  private suffix(): string {
    return `@${this.bootId.slice(0, 8)}`
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/** The same until the machine is started again; one word for all where the system does not tell. */
export const readBootId = (): Promise<string> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => 'any',
  )
