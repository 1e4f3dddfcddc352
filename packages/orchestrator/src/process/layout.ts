import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkedInstanceId,
  isInstanceId,
  isMachineTrouble,
  KEPT_ATTEMPTS,
  makePrivate,
  modifiedAt,
  namesIn,
  pruneEnded,
  putInPlace,
} from '../kit/index'
import { AttemptFiles } from './attempt-files'

const DRAFT = '.draft-'
const ATTEMPT = /^[0-9]{1,9}$/

/**
 * Layout of the data folder. `servers/<instance>/<attempt>/` contains the attempts that the service observes. `ended/…`
 * contains attempts that are no longer observed; they are kept for their logs, and so that the service recognizes a
 * late launch of them. `builds/` contains unpacked archives.
 */
export class Layout {
  readonly servers: string
  readonly ended: string
  readonly builds: string

  constructor(readonly directory: string) {
    this.servers = join(directory, 'servers')
    this.ended = join(directory, 'ended')
    this.builds = join(directory, 'builds')
  }

  async prepare(): Promise<void> {
    for (const folder of [this.directory, this.servers, this.ended, this.builds]) await makePrivate(folder)
  }

  attempt(instanceId: string, attempt: number): AttemptFiles {
    return new AttemptFiles(join(this.servers, checkedInstanceId(instanceId), String(attempt)), instanceId, attempt)
  }

  /**
   * Creates a folder in which a launch is prepared. When the files are complete, the folder is moved to its final path
   * in one step.
   */
  async draft(instanceId: string): Promise<string> {
    const folder = join(this.servers, checkedInstanceId(instanceId))
    await makePrivate(folder)
    return mkdtemp(join(folder, DRAFT))
  }

  /** Removes drafts of launches that were interrupted during their preparation. */
  async removeStaleDrafts(before: number): Promise<void> {
    for (const instanceId of await this.instances()) {
      for (const name of await namesIn(join(this.servers, instanceId))) {
        const path = join(this.servers, instanceId, name)
        if (name.startsWith(DRAFT) && (await modifiedAt(path)) < before)
          await rm(path, { recursive: true, force: true })
      }
      await rmdir(join(this.servers, instanceId)).catch(() => {}) // removes the folder if it is empty
    }
  }

  /** Returns the ids of the instances in the folder; other files in the folder are ignored. */
  async instances(): Promise<string[]> {
    return (await namesIn(this.servers)).filter(isInstanceId)
  }

  /** Returns the attempts of one instance, oldest first. */
  attempts(instanceId: string): Promise<AttemptFiles[]> {
    return this.attemptsIn(this.servers, instanceId)
  }

  endedAttempts(instanceId: string): Promise<AttemptFiles[]> {
    return this.attemptsIn(this.ended, instanceId)
  }

  /** Moves the folder of an instance to the ended instances, which are not observed. */
  async end(instanceId: string): Promise<void> {
    const target = join(this.ended, checkedInstanceId(instanceId))
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const { directory, attempt } of await this.attempts(instanceId)) {
      await putInPlace(directory, join(target, String(attempt)))
    }
    const kept = await this.endedAttempts(instanceId)
    for (const { directory } of kept.slice(0, -KEPT_ATTEMPTS)) await rm(directory, { recursive: true, force: true })
    await rm(join(this.servers, instanceId), { recursive: true, force: true })
  }

  /**
   * Removes the folders of the oldest ended instances. The newest `keep` instances stay, and sometimes up to a tenth
   * more.
   */
  prune(keep: number): Promise<void> {
    return pruneEnded(this.ended, keep)
  }

  private async attemptsIn(root: string, instanceId: string): Promise<AttemptFiles[]> {
    const folder = join(root, checkedInstanceId(instanceId))
    const numbers = (await foldersIn(folder)).filter((name) => ATTEMPT.test(name)).map(Number)
    numbers.sort((a, b) => a - b)
    return numbers.map((attempt) => new AttemptFiles(join(folder, String(attempt)), instanceId, attempt))
  }
}

/**
 * Returns the subfolders; no subfolders for a missing or unreadable folder. In that case, the processes of the folder's
 * instance are found by their environment.
 */
async function foldersIn(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true })
    return found.filter((one) => one.isDirectory()).map(({ name }) => name)
  } catch (error) {
    if (isMachineTrouble(error)) throw error
    return []
  }
}
