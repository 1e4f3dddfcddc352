import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveRefused, errorCode } from '../kit/index'
import { isOfTheGone, ownMark } from './process-marks'

const ARCHIVE = /^([0-9a-f]{64})\.zip$/
const IN_HAND = /^(?:fetching|held)-([\d.]+)-/

/**
 * File for an archive that is being fetched. Call `makeRoom` with the archive's size in bytes before you write the
 * archive.
 */
export interface CacheDraft {
  readonly path: string
  makeRoom(bytes: number): Promise<void>
}

/** An archive in use by this process; `uses` is the number of users. */
interface Hold {
  uses: number
  /** Promise of the archive's path, which settles when the archive is on this machine. */
  readonly file: Promise<string>
  /** Path of the archive; set when the archive is on this machine. */
  path?: string
}

/**
 * Archives on this machine, in files named by their SHA-256. The total size has a limit, and the archives that were
 * used last are kept. An archive in use is never removed: during its use, its file has a second name (a hard link).
 * Every process with the same folder sees that name, and a fetched archive gets it before its first name. Archives in
 * use may therefore exceed the limit. Archives that are being fetched may exceed it too, when no other archive can be
 * removed.
 */
export class ArchiveCache {
  private readonly holds = new Map<string, Hold>()
  private mark: Promise<string> | undefined
  /** Bytes of the archives that are being fetched. */
  private promised = 0

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
  ) {}

  /**
   * Runs `work` with an archive. When this machine does not have the archive, the method calls `fetch` for it; `fetch`
   * must throw when it received other content. When several callers need the same archive, only one fetches it, and all
   * of them get its error. The exception is ArchiveRefused: after such an error of another caller's fetch, a caller
   * fetches the archive again itself.
   */
  async using<T>(
    sha256: string,
    fetch: (draft: CacheDraft) => Promise<void>,
    work: (file: string) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const standing = this.holds.get(sha256)
      const hold = standing ?? this.hold(sha256, fetch)
      hold.uses++
      try {
        const file = await hold.file.catch((error: unknown) => {
          if (standing === undefined || !(error instanceof ArchiveRefused)) throw error
        })
        if (file !== undefined) return await work(file)
      } catch (error) {
        await this.giveWay(error)
        throw error
      } finally {
        hold.uses--
        if (hold.uses === 0) await this.letGo(sha256, hold)
      }
    }
  }

  /** Runs `work` with a file for an archive whose SHA-256 is not known yet. */
  async drafting<T>(work: (draft: CacheDraft) => Promise<T>): Promise<T> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const path = await this.pathOf('fetching')
    let promised = 0
    const makeRoom = async (bytes: number) => {
      promised += bytes
      this.promised += bytes
      await this.evict()
    }
    try {
      return await work({ path, makeRoom })
    } catch (error) {
      await this.giveWay(error)
      throw error
    } finally {
      this.promised -= promised
      await rm(path, { force: true })
      // Other processes may have fetched archives at the same time, so the limit is enforced again.
      await this.evict()
    }
  }

  /** Renames a draft to the name of its archive, when the draft's SHA-256 is known. */
  async take(sha256: string, { path }: Pick<CacheDraft, 'path'>): Promise<void> {
    await rename(path, this.fileOf(sha256))
  }

  /**
   * Removes an archive that is damaged, or that belongs to a removed build. Callers that use it now keep their file.
   */
  async drop(sha256: string): Promise<void> {
    const hold = this.holds.get(sha256)
    // Keeps an archive that is still being fetched, because it is new. Keeps an archive in use that has no second name,
    // because its users would lose it.
    if (hold !== undefined && (hold.path === undefined || hold.path === this.fileOf(sha256))) return
    this.holds.delete(sha256)
    await rm(this.fileOf(sha256), { force: true })
  }

  /** Removes drafts and second names of processes that no longer run. */
  async sweep(): Promise<void> {
    for (const name of await this.names()) {
      const mark = IN_HAND.exec(name)?.[1]
      if (mark !== undefined && (await isOfTheGone(mark))) await rm(join(this.directory, name), { force: true })
    }
    await this.evict()
  }

  private hold(sha256: string, fetch: (draft: CacheDraft) => Promise<void>): Hold {
    const hold: Hold = { uses: 0, file: this.bring(sha256, fetch) }
    this.holds.set(sha256, hold)
    hold.file.then(
      (path) => {
        hold.path = path
      },
      () => this.forget(sha256, hold),
    )
    return hold
  }

  private async bring(sha256: string, fetch: (draft: CacheDraft) => Promise<void>): Promise<string> {
    const [kept, held] = [this.fileOf(sha256), await this.pathOf('held')]
    const now = new Date()
    // The modification time of the file is the time of its last use, by this machine's clock. A network disk may have a
    // slightly different clock.
    const found = await utimes(kept, now, now).then(() => nameToo(kept, held), unlessMissing)
    if (found !== undefined) return found
    return this.drafting(async (draft) => {
      await fetch(draft)
      // The file gets its second name before its first name. Otherwise another process that removes archives could
      // remove the file before its use.
      const named = await nameToo(draft.path, held)
      try {
        await this.take(sha256, draft)
      } catch (error) {
        await rm(held, { force: true })
        throw error
      }
      return named === held ? held : kept
    })
  }

  private async letGo(sha256: string, hold: Hold): Promise<void> {
    this.forget(sha256, hold)
    if (hold.path !== undefined && hold.path !== this.fileOf(sha256)) await rm(hold.path, { force: true })
    await this.evict()
  }

  /**
   * When the disk is full, removes every archive that is not in use. The disk may be smaller than the limit, or other
   * data fill it; the next try then has enough space.
   */
  private async giveWay(error: unknown): Promise<void> {
    if (['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) await this.evict(0)
  }

  private forget(sha256: string, hold: Hold): void {
    if (this.holds.get(sha256) === hold) this.holds.delete(sha256)
  }

  /**
   * Removes archives, beginning with the one whose last use is longest ago, until the remaining archives and the
   * archives being fetched fit into the limit.
   */
  private async evict(maxBytes = this.maxBytes): Promise<void> {
    const kept: { sha256: string; bytes: number; usedAt: number; isHeld: boolean }[] = []
    for (const name of await this.names()) {
      const sha256 = ARCHIVE.exec(name)?.[1]
      const found = sha256 === undefined ? undefined : await stat(join(this.directory, name)).catch(() => undefined)
      if (sha256 === undefined || found === undefined) continue
      const isHeld = found.nlink > 1 || this.holds.has(sha256)
      kept.push({ sha256, bytes: found.size, usedAt: found.mtimeMs, isHeld })
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, this.promised)
    for (const { sha256, bytes, isHeld } of kept.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes) return
      // A use of the archive may have begun since the folder was read.
      if (isHeld || this.holds.has(sha256)) continue
      await rm(this.fileOf(sha256), { force: true })
      total -= bytes
    }
  }

  private async names(): Promise<string[]> {
    return readdir(this.directory).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
  }

  private async pathOf(kind: 'fetching' | 'held'): Promise<string> {
    this.mark ??= ownMark()
    return join(this.directory, `${kind}-${await this.mark}-${randomUUID()}`)
  }

  private fileOf(sha256: string): string {
    return join(this.directory, `${sha256}.zip`)
  }
}

/**
 * Gives a file a second name and returns that name; undefined when the file is missing. Returns the first name when the
 * disk does not support hard links; then other processes cannot see that the archive is in use.
 */
async function nameToo(file: string, second: string): Promise<string | undefined> {
  try {
    await link(file, second)
    return second
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errorCode(error) ?? '')) return file
    return unlessMissing(error)
  }
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
