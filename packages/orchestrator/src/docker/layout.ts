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

/** In the folder of a launch that took a container which waited: that one has its configuration. */
const DELIVERED = 'delivered'
/** What is larger was not written by `keepEnded`. */
const ENDED_BYTES = 64 * 1024 ** 2

/** What is kept of an attempt whose container was removed. */
export interface EndedAttempt {
  readonly attempt: number
  readonly logs: readonly ServerLogLine[]
}

/**
 * The data folder. The engine holds what runs; here is what it cannot hold: `builds/` has unpacked archives,
 * `launches/<instance>/<attempt>/` the configuration that is mounted, `warm/<name>/` that of a container which waits for its launch, `ended/<instance>/<attempt>.json` the logs of what
 * was removed, by which a late launch of it is known as well.
 */
export class Layout {
  readonly builds: string
  private readonly launches: string
  private readonly ended: string
  private readonly warm: string

  constructor(directory: string) {
    this.builds = join(directory, 'builds')
    this.launches = join(directory, 'launches')
    this.ended = join(directory, 'ended')
    this.warm = join(directory, 'warm')
  }

  async prepare(): Promise<void> {
    for (const folder of [this.builds, this.launches, this.ended, this.warm]) await makePrivate(folder)
  }

  /**
   * Writes the configuration of a launch into a folder of its own, which keeps it from everybody else on the machine:
   * of two services that launch at once each has its own, and removes no other.
   */
  async writeConfig(mark: LaunchMark, content: string): Promise<string> {
    await makePrivate(this.launch(mark))
    const path = join(await mkdtemp(join(this.launch(mark), 'config-')), CONFIG_FILE)
    await writeFile(path, content)
    await chmod(path, 0o444) // the game server may be any user
    return path
  }

  /** The file of a container that waits: empty until it is given to a launch. */
  async makeWaiting(warmId: string): Promise<string> {
    await makePrivate(join(this.warm, warmId))
    const path = join(this.warm, warmId, CONFIG_FILE)
    // Written in place later, by this user; in the container nobody may. The folder keeps it from everybody else.
    await writeFile(path, '', { mode: 0o644 })
    await chmod(path, 0o644)
    return path
  }

  async dropWaiting(warmId: string): Promise<void> {
    await rm(join(this.warm, warmId), { recursive: true, force: true })
  }

  /** Drops the files of containers that wait no more. */
  async pruneWaiting(waiting: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(this.warm)) if (!waiting.has(name)) await this.dropWaiting(name)
  }

  /** Whether a container that waits can still be told anything: its file may have been lost with the folder. */
  isWaiting(warmId: string): Promise<boolean> {
    return exists(join(this.warm, warmId, CONFIG_FILE))
  }

  /**
   * Gives the file of a container that waited to a launch. It stays the same file, which is what is mounted, so it is written in place;
   * whoever reads meanwhile sees a part, which is no JSON. False where there is no such file any more.
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

  /** Whether a container that waited and was given to a launch has been told so; also where all that is kept here was lost since. */
  async isDelivered(mark: LaunchMark, warmId: string): Promise<boolean> {
    if (await exists(join(this.launch(mark), DELIVERED))) return true
    return !(await exists(this.given(mark, warmId))) && !(await this.isWaiting(warmId))
  }

  private given(mark: LaunchMark, warmId: string): string {
    return join(this.launch(mark), `config-${warmId}`)
  }

  /** Takes back the configuration of a launch that was not. */
  async dropConfig(path: string): Promise<void> {
    await rm(dirname(path), { recursive: true, force: true })
  }

  /** Once ready, a server stays so, also for the next service. */
  async markReady(mark: LaunchMark): Promise<void> {
    await writeFile(join(this.launch(mark), 'ready'), '')
  }

  async wasReady(mark: LaunchMark): Promise<boolean> {
    return exists(join(this.launch(mark), 'ready'))
  }

  /** Removes what a launch had, its secret with it. */
  async dropLaunch(mark: LaunchMark): Promise<void> {
    await rm(this.launch(mark), { recursive: true, force: true })
  }

  /** Removes what the launches of an instance had. */
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

  /** Keeps the logs of the newest `keep` ended instances and at times a tenth more, and no configuration of a launch that has no container. */
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

/** The lines of an ended attempt; none where the file is damaged: that costs these lines, and nothing else. */
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
