import { link, lstat, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@matchyard/core'
import { hasCode, putInPlace, readSmall, writeSynced } from '../kit/index'
import type {} from './attempt-records'
import { type Files, parsed } from './attempt-shapes'

/**
 * Folder of one attempt. The service, the attempt's supervisor (the process that starts and watches the game server)
 * and the next service process share its files. Each file is written under another name, synced and then renamed. A
 * disk, a user or another program may still damage a file, so every reader also works without the file.
 */
export class AttemptFiles {
  constructor(
    readonly directory: string,
    readonly instanceId: string,
    readonly attempt: number,
  ) {}

  path(name: string): string {
    return join(this.directory, name)
  }

  async exists(): Promise<boolean> {
    return stat(this.directory).then(
      (found) => found.isDirectory(),
      () => false,
    )
  }

  /** Returns the content of a file; undefined for a missing file, `damaged` for an unreadable file. */
  async look<N extends keyof Files>(name: N): Promise<Files[N] | 'damaged' | undefined> {
    const text = await readSmall(this.path(name))
    return text === undefined || text === 'damaged' ? text : parsed(name, text)
  }

  /** Returns the content of a file; undefined for a missing or damaged file. */
  async read<N extends keyof Files>(name: N): Promise<Files[N] | undefined> {
    const found = await this.look(name)
    return found === 'damaged' ? undefined : found
  }

  /**
   * Returns the time of the last write to the file with this name, whatever its content; undefined when the file is
   * missing.
   */
  async writtenAt(name: keyof Files | 'alive'): Promise<Instant | undefined> {
    return lstat(this.path(name)).then(
      ({ mtimeMs }) => Math.floor(mtimeMs),
      () => undefined,
    )
  }

  async write<N extends keyof Files>(name: N, content: Files[N]): Promise<void> {
    const draft = this.path(`${name}.${process.pid}.service`)
    try {
      await writeSynced(draft, JSON.stringify(content))
      await putInPlace(draft, this.path(name))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  /**
   * Closes the claim of the attempt, so that no supervisor can claim it later. Returns false when a supervisor has
   * claimed the attempt before.
   */
  async closeClaim(): Promise<boolean> {
    const draft = this.path(`claim.json.${process.pid}.service`)
    try {
      await writeSynced(draft, JSON.stringify({ closed: true }))
      await link(draft, this.path('claim.json'))
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    } finally {
      await rm(draft, { force: true })
    }
  }
}
