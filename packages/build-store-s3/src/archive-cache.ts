import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@matchyard/build-store-kit'

const ARCHIVE = /^([0-9a-f]{64})\.zip$/
const DRAFT = /^fetching-(\d+)-/
const HELD = /^held-(\d+)-/
/** Looks for an archive that is evicted by another process at the very moment. */
const TRIES = 5

/** Where an archive is fetched to; `makeRoom` is told how large it is, before it is written. */
export interface CacheDraft {
  readonly path: string
  makeRoom(bytes: number): Promise<void>
}

/**
 * Archives on this machine, by their content, no more of them than so many bytes: those used last are kept. One that is in use never
 * goes, here by a count, and for other processes on the same folder by a second name that the file has for so long. What is in use may
 * therefore exceed the bound, and so may what is being fetched where nothing else can go.
 */
export class ArchiveCache {
  /** Several that miss one archive fetch it once. */
  private readonly underway = new Map<string, Promise<void>>()
  private readonly inUse = new Map<string, number>()
  /** Bytes of what is being fetched. */
  private promised = 0

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
  ) {}

  /** Does `work` with an archive, which `fetch` brings where it is not here; it throws where it brings another one. */
  async using<T>(
    sha256: string,
    fetch: (draft: CacheDraft) => Promise<void>,
    work: (file: string) => Promise<T>,
  ): Promise<T> {
    this.count(sha256, 1)
    try {
      for (let tries = 1; ; tries++) {
        const held = await this.hold(sha256)
        if (held !== undefined) return await work(held.file).finally(held.letGo)
        if (tries > TRIES) throw new Error('an archive was evicted again and again before it could be used')
        await this.fetchOnce(sha256, fetch)
      }
    } finally {
      this.count(sha256, -1)
      await this.evict()
    }
  }

  /** Does `work` with a place for an archive that is not known yet. */
  async drafting<T>(work: (draft: CacheDraft) => Promise<T>): Promise<T> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const path = join(this.directory, `fetching-${process.pid}-${randomUUID()}`)
    let promised = 0
    const makeRoom = async (bytes: number) => {
      promised += bytes
      this.promised += bytes
      await this.evict()
    }
    try {
      return await work({ path, makeRoom })
    } finally {
      this.promised -= promised
      await rm(path, { force: true })
    }
  }

  /** Takes a draft that was found to be that archive. */
  async take(sha256: string, { path }: Pick<CacheDraft, 'path'>): Promise<void> {
    await rename(path, this.fileOf(sha256))
  }

  /** Forgets an archive that is damaged, or of a build that is gone. */
  async drop(sha256: string): Promise<void> {
    if (!this.inUse.has(sha256)) await rm(this.fileOf(sha256), { force: true })
  }

  /** Drops what processes that are gone had in hand. */
  async sweep(): Promise<void> {
    for (const name of await this.names()) {
      const pid = Number((DRAFT.exec(name) ?? HELD.exec(name))?.[1] ?? Number.NaN)
      if (!Number.isNaN(pid) && pid !== process.pid && !isAlive(pid))
        await rm(join(this.directory, name), { force: true })
    }
    await this.evict()
  }

  private async fetchOnce(sha256: string, fetch: (draft: CacheDraft) => Promise<void>): Promise<void> {
    const running = this.underway.get(sha256)
    if (running !== undefined) return running
    const work = this.drafting(async (draft) => {
      await fetch(draft)
      await this.take(sha256, draft)
    }).finally(() => this.underway.delete(sha256))
    this.underway.set(sha256, work)
    return work
  }

  /** undefined where it is not here. */
  private async hold(sha256: string): Promise<{ file: string; letGo: () => Promise<void> } | undefined> {
    const kept = this.fileOf(sha256)
    const held = join(this.directory, `held-${process.pid}-${randomUUID()}`)
    try {
      const now = new Date()
      await utimes(kept, now, now) // used now, by the clock of the disk or nearly
      await link(kept, held)
      return { file: held, letGo: () => rm(held, { force: true }) }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      // A disk on which a file has one name only: then this process alone knows what is in use.
      if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errorCode(error) ?? '')) {
        return { file: kept, letGo: async () => {} }
      }
      throw error
    }
  }

  /** The ones used longest ago go, until the rest and what is being fetched fit. */
  private async evict(): Promise<void> {
    const kept: { sha256: string; bytes: number; usedAt: number; isHeld: boolean }[] = []
    for (const name of await this.names()) {
      const sha256 = ARCHIVE.exec(name)?.[1]
      const found = sha256 === undefined ? undefined : await stat(join(this.directory, name)).catch(() => undefined)
      if (sha256 === undefined || found === undefined) continue
      const isHeld = found.nlink > 1 || this.inUse.has(sha256)
      kept.push({ sha256, bytes: found.size, usedAt: found.mtimeMs, isHeld })
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, this.promised)
    for (const { sha256, bytes, isHeld } of kept.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.maxBytes) return
      // It may have come into use since it was looked at.
      if (isHeld || this.inUse.has(sha256)) continue
      await rm(this.fileOf(sha256), { force: true })
      total -= bytes
    }
  }

  private count(sha256: string, by: number): void {
    const uses = (this.inUse.get(sha256) ?? 0) + by
    if (uses > 0) this.inUse.set(sha256, uses)
    else this.inUse.delete(sha256)
  }

  private async names(): Promise<string[]> {
    return readdir(this.directory).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
  }

  private fileOf(sha256: string): string {
    return join(this.directory, `${sha256}.zip`)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
