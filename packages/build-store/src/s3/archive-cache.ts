import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveRefused, errorCode } from '../kit/index'
import { isOfTheGone, ownMark } from './process-marks'

const ARCHIVE = /^([0-9a-f]{64})\.zip$/
const IN_HAND = /^(?:fetching|held)-([\d.]+)-/

/** Where an archive is fetched to; `makeRoom` is told how large it is, before it is written. */
export interface CacheDraft {
  readonly path: string
  makeRoom(bytes: number): Promise<void>
}

/** An archive in use here, by as many as `uses` says. */
interface Hold {
  uses: number
  /** Settles once it is here. */
  readonly file: Promise<string>
  /** Where it is, once it is here. */
  path?: string
}

/**
 * Archives on this machine, by their content, no more of them than so many bytes: those used last are kept. One that is in use never
 * goes: it has a second name for so long, which every process on the same folder sees, and which it has before it has the first. What is
 * in use may therefore exceed the bound, and so may what is being fetched where nothing else can go.
 */
export class ArchiveCache {
  private readonly holds = new Map<string, Hold>()
  private mark: Promise<string> | undefined
  /** Bytes of what is being fetched. */
  private promised = 0

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
  ) {}

  /**
   * Does `work` with an archive, which `fetch` brings where it is not here; it throws where it brings another one. Of several at once one
   * fetches, and what it meets is told to all; but that it was refused what it asked for says nothing about what the others ask for.
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

  /** Does `work` with a place for an archive that is not known yet. */
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
      // Of what another process fetched meanwhile nothing was known while room was made.
      await this.evict()
    }
  }

  /** Takes a draft that was found to be that archive. */
  async take(sha256: string, { path }: Pick<CacheDraft, 'path'>): Promise<void> {
    await rename(path, this.fileOf(sha256))
  }

  /** Forgets an archive that is damaged, or of a build that is gone; whoever has it in use goes on with it. */
  async drop(sha256: string): Promise<void> {
    const hold = this.holds.get(sha256)
    // What is still to come is another one, and one that has no second name would be gone.
    if (hold !== undefined && (hold.path === undefined || hold.path === this.fileOf(sha256))) return
    this.holds.delete(sha256)
    await rm(this.fileOf(sha256), { force: true })
  }

  /** Drops what processes that are gone had in hand. */
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
    // Used now, by the clock of the disk or nearly.
    const found = await utimes(kept, now, now).then(() => nameToo(kept, held), unlessMissing)
    if (found !== undefined) return found
    return this.drafting(async (draft) => {
      await fetch(draft)
      // Before it is seen by others: one that makes room would take it away before it could be used.
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

  /** A disk that is full is smaller than the bound, or others fill it: what nobody uses goes, and the next try finds room. */
  private async giveWay(error: unknown): Promise<void> {
    if (['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) await this.evict(0)
  }

  private forget(sha256: string, hold: Hold): void {
    if (this.holds.get(sha256) === hold) this.holds.delete(sha256)
  }

  /** The ones used longest ago go, until the rest and what is being fetched fit. */
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
      // It may have come into use since it was looked at.
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

/** Gives a file a second name, and answers it; the first where a disk knows one name only: then this process alone knows what is in use. */
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
