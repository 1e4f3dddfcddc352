import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadUnderway } from '@matchyard/core/ports'
import { errorCode } from '../kit/index'

const SUFFIX = '.part'
/** No body is waited for so long without a byte: a draft that has not grown for that time is of a process that is gone. */
export const DEAD_AFTER_MS = 2 * 60_000

/** The files that uploads are written to, one at most for each build. */
export class Drafts {
  private readonly mine = new Set<string>()

  constructor(
    private readonly directory: string,
    /** Whether other processes write to the folder, too. */
    private readonly shared: boolean,
  ) {}

  pathOf(buildId: string): string {
    return join(this.directory, `${buildId}${SUFFIX}`)
  }

  /** Takes a draft for an upload of this process; answers what lets it go. Throws UploadUnderway where another one has it. */
  hold(draft: string): () => void {
    if (this.mine.has(draft)) throw new UploadUnderway('another upload of this build is under way')
    this.mine.add(draft)
    return () => this.mine.delete(draft)
  }

  /** Whether nobody writes to this file any more: of other processes by its age alone. */
  async isDead(draft: string): Promise<boolean> {
    if (!this.shared) return true
    const found = await stat(draft).catch(() => undefined)
    return found === undefined || Date.now() - found.mtimeMs > DEAD_AFTER_MS
  }

  /** Removes every draft that nobody writes to any more. */
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
