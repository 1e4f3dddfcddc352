import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadUnderway } from '@matchyard/core/ports'
import { errorCode } from '../kit/index'

const SUFFIX = '.part'
/**
 * Milliseconds without growth of a draft, after which the process that wrote it counts as ended. An upload is aborted
 * long before such a pause.
 */
export const DEAD_AFTER_MS = 2 * 60_000

/**
 * Draft files of uploads in one folder. A draft is the file into which an upload is written; each build has at most
 * one.
 */
export class Drafts {
  private readonly mine = new Set<string>()

  constructor(
    private readonly directory: string,
    /** Whether other processes also write to the folder. */
    private readonly shared: boolean,
  ) {}

  pathOf(buildId: string): string {
    return join(this.directory, `${buildId}${SUFFIX}`)
  }

  /**
   * Reserves the draft for an upload of this process. Returns a function that releases the draft. Throws UploadUnderway
   * when another upload of this process has reserved it.
   */
  hold(draft: string): () => void {
    if (this.mine.has(draft)) throw new UploadUnderway('another upload of this build is under way')
    this.mine.add(draft)
    return () => this.mine.delete(draft)
  }

  /**
   * Whether no process writes to this draft any more; for drafts that this process has not reserved. In a shared folder
   * the draft's age decides. A folder that is not shared has no other process, so the draft is dead.
   */
  async isDead(draft: string): Promise<boolean> {
    if (!this.shared) return true
    const found = await stat(draft).catch(() => undefined)
    return found === undefined || Date.now() - found.mtimeMs > DEAD_AFTER_MS
  }

  /** Removes every draft to which no process writes any more. */
  async sweep(): Promise<void> {
    for (const name of await this.names()) {
      const path = join(this.directory, name)
      if (!name.endsWith(SUFFIX) || this.mine.has(path) || !(await this.isDead(path))) continue
      await rm(path, { recursive: true, force: true })
    }
  }

  private async names(): Promise<string[]> {
    return readdir(this.directory).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
  }
}
