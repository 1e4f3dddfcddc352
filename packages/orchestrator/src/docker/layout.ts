import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ServerLogLine } from '@matchyard/core/ports'
import {
  CONFIG_FILE,
  checkedInstanceId,
  KEPT_ATTEMPTS,
  makePrivate,
  namesIn,
  pruneEnded,
  putInPlace,
  writeSynced,
} from '../kit/index'
import type { LaunchMark } from './labels'

/** Marker file in the folder of a launch that took a warm server: the configuration has been written. */
const DELIVERED = 'delivered'
/** The most bytes that are read of a file with the log of an ended attempt; `keepEnded` writes no larger file. */
const ENDED_BYTES = 64 * 1024 ** 2

/** The data that are kept of an attempt after its container was removed. */
export interface EndedAttempt {
  readonly attempt: number
  readonly logs: readonly ServerLogLine[]
}

/**
 * The data folder, for data that the engine cannot store. `builds/` contains unpacked archives.
 * `launches/<instance>/<attempt>/` contains the mounted configuration of a launch, and `warm/<id>/` the configuration
 * of a warm server. `ended/<instance>/<attempt>.json` contains the logs of a removed container; with this file, the
 * service recognizes a late launch of the same attempt.
 */
export class Layout {
  readonly builds: string
  /** Folder of the plans of TLS fronts: `fronts/<container>/front.json`. */
  readonly fronts: string
  private readonly launches: string
  private readonly ended: string
  private readonly warm: string

  constructor(directory: string) {
    this.builds = join(directory, 'builds')
    this.launches = join(directory, 'launches')
    this.ended = join(directory, 'ended')
    this.warm = join(directory, 'warm')
    this.fronts = join(directory, 'fronts')
  }

  async prepare(): Promise<void> {
    for (const folder of [this.builds, this.launches, this.ended, this.warm, this.fronts]) await makePrivate(folder)
  }

  /**
   * Writes the configuration of a launch into a new private folder, which other users of the machine cannot read. Two
   * service processes that launch at the same time use different folders, so each process removes only its own folder.
   */
  async writeConfig(mark: LaunchMark, content: string): Promise<string> {
    await makePrivate(this.launch(mark))
    const path = join(await mkdtemp(join(this.launch(mark), 'config-')), CONFIG_FILE)
    await writeFile(path, content)
    await chmod(path, 0o444) // the game server may run as any user
    return path
  }

  /** Creates the empty configuration file of a warm server; a launch writes the content later. */
  async makeWaiting(warmId: string): Promise<string> {
    await makePrivate(join(this.warm, warmId))
    const path = join(this.warm, warmId, CONFIG_FILE)
    // The service writes into this file later, and the container mounts the file read-only. The private folder prevents
    // other users from reading the file.
    await writeFile(path, '', { mode: 0o644 })
    await chmod(path, 0o644)
    return path
  }

  async dropWaiting(warmId: string): Promise<void> {
    await rm(join(this.warm, warmId), { recursive: true, force: true })
  }

  /** Removes the files of warm servers whose ids are not in `waiting`. */
  async pruneWaiting(waiting: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(this.warm)) if (!waiting.has(name)) await this.dropWaiting(name)
  }

  /** Whether the configuration file of a warm server still exists; it may have been lost with the data folder. */
  isWaiting(warmId: string): Promise<boolean> {
    return exists(join(this.warm, warmId, CONFIG_FILE))
  }

  /**
   * Writes the configuration of a launch into the file of a warm server. The container has mounted that file, so its
   * content is replaced in place. A reader may see an incomplete file, which is not valid JSON. Returns false when the
   * file no longer exists.
   */
  async deliver(mark: LaunchMark, warmId: string, content: string): Promise<boolean> {
    await makePrivate(this.launch(mark))
    const folder = this.given(mark, warmId)
    if (!(await exists(folder))) {
      if (!(await this.isWaiting(warmId))) return false
      await rename(join(this.warm, warmId), folder)
    }
    await writeFile(join(folder, CONFIG_FILE), content)
    await writeFile(join(this.launch(mark), DELIVERED), '')
    return true
  }

  /**
   * Whether a warm server that a launch took has its configuration. The result is also true when the data folder was
   * lost since.
   */
  async isDelivered(mark: LaunchMark, warmId: string): Promise<boolean> {
    if (await exists(join(this.launch(mark), DELIVERED))) return true
    return !(await exists(this.given(mark, warmId))) && !(await this.isWaiting(warmId))
  }

  private given(mark: LaunchMark, warmId: string): string {
    return join(this.launch(mark), `config-${warmId}`)
  }

  /** Removes the configuration file of a failed launch. */
  async dropConfig(path: string): Promise<void> {
    await rm(dirname(path), { recursive: true, force: true })
  }

  /** Records that a server is ready, so that it counts as ready after a restart of the service. */
  async markReady(mark: LaunchMark): Promise<void> {
    await writeFile(join(this.launch(mark), 'ready'), '')
  }

  async wasReady(mark: LaunchMark): Promise<boolean> {
    return exists(join(this.launch(mark), 'ready'))
  }

  /** Removes the files of a launch, including the configuration with its secret. */
  async dropLaunch(mark: LaunchMark): Promise<void> {
    await rm(this.launch(mark), { recursive: true, force: true })
  }

  /** Removes the files of all launches of an instance. */
  async dropLaunches(instanceId: string): Promise<void> {
    await rm(join(this.launches, checkedInstanceId(instanceId)), { recursive: true, force: true })
  }

  async keepEnded({ instanceId, attempt }: LaunchMark, logs: readonly ServerLogLine[]): Promise<void> {
    const folder = join(this.ended, checkedInstanceId(instanceId))
    await makePrivate(folder)
    const draft = join(folder, `.${randomUUID()}`)
    const path = join(folder, `${attempt}.json`)
    try {
      await writeSynced(draft, JSON.stringify(logs))
      await putInPlace(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
    const kept = (await this.endedAttempts(instanceId)).sort((a, b) => a - b)
    for (const old of kept.slice(0, -KEPT_ATTEMPTS)) await rm(join(folder, `${old}.json`), { recursive: true })
  }

  async endedAttempts(instanceId: string): Promise<number[]> {
    const names = await namesIn(join(this.ended, checkedInstanceId(instanceId)))
    return names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10))
  }

  async endedLogs(instanceId: string): Promise<EndedAttempt[]> {
    const attempts = await this.endedAttempts(instanceId)
    return Promise.all(
      attempts.map(async (attempt) => {
        return { attempt, logs: await readEnded(join(this.ended, instanceId, `${attempt}.json`)) }
      }),
    )
  }

  /**
   * Keeps the logs of the newest `keep` ended instances (up to a tenth more), and removes configurations of launches
   * without a container.
   */
  async prune(keep: number, launched: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(this.launches)) {
      if (!launched.has(name)) await rm(join(this.launches, name), { recursive: true, force: true })
    }
    await this.pruneEnded(keep)
  }

  pruneEnded(keep: number): Promise<void> {
    return pruneEnded(this.ended, keep)
  }

  private launch({ instanceId, attempt }: LaunchMark): string {
    return join(this.launches, checkedInstanceId(instanceId), String(attempt))
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Returns the log lines of an ended attempt; no lines when the file is damaged. */
async function readEnded(path: string): Promise<ServerLogLine[]> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size > ENDED_BYTES) return []
    const lines: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(lines) ? lines.filter(isLogLine) : []
  } catch {
    return []
  }
}

function isLogLine(value: unknown): value is ServerLogLine {
  if (typeof value !== 'object' || value === null) return false
  const { at, stream, message } = value as Partial<Record<keyof ServerLogLine, unknown>>
  return Number.isFinite(at) && (stream === 'stdout' || stream === 'stderr') && typeof message === 'string'
}
