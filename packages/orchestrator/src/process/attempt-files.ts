import { link, lstat, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@matchyard/core'
import { hasCode, putInPlace, readSmall, writeSynced } from '../kit/index'
import type {} from './attempt-records'
import { type Files, parsed } from './attempt-shapes'

/**
 * One attempt's folder: the record shared by the service, its supervisor, and the service's next life. Each file is written
 * beside its place, synced and moved there; and yet a disk, a hand or another program may damage it, so whoever reads one
 * can do without it.
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

  /** What a file says; undefined when it is not there, `damaged` when what is there says nothing. */
  async look<N extends keyof Files>(name: N): Promise<Files[N] | 'damaged' | undefined> {
    const text = await readSmall(this.path(name))
    return text === undefined || text === 'damaged' ? text : parsed(name, text)
  }

  /** The same for those to whom a damaged file is as good as none. */
  async read<N extends keyof Files>(name: N): Promise<Files[N] | undefined> {
    const found = await this.look(name)
    return found === 'damaged' ? undefined : found
  }

  /** When what stands under this name was last written, whatever it is; undefined when nothing does. */
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

  /** Takes the claim away from a supervisor that has not come yet. False when one was first. */
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
