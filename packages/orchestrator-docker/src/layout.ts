import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ServerLogLine } from '@matchyard/core'
import { CONFIG_FILE } from './game-environment'
import { checkedInstanceId, type LaunchMark } from './labels'

/** What is kept of an attempt whose container was removed. */
export interface EndedAttempt {
  readonly attempt: number
  readonly logs: readonly ServerLogLine[]
}

/**
 * The data folder. The engine holds what runs; here is what it cannot hold: `builds/` has unpacked archives,
 * `launches/<instance>/<attempt>/` the configuration that is mounted, `ended/<instance>/<attempt>.json` the logs of what
 * was removed, by which a late launch of it is known as well.
 */
export class Layout {
  readonly builds: string
  private readonly launches: string
  private readonly ended: string

  constructor(directory: string) {
    this.builds = join(directory, 'builds')
    this.launches = join(directory, 'launches')
    this.ended = join(directory, 'ended')
  }

  async prepare(): Promise<void> {
    for (const folder of [this.builds, this.launches, this.ended]) await makePrivate(folder)
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

  /** Takes back the configuration of a launch that was not. */
  async dropConfig(path: string): Promise<void> {
    await rm(dirname(path), { recursive: true, force: true })
  }

  /** Once ready, a server stays so, also for the next service. */
  async markReady(mark: LaunchMark): Promise<void> {
    await writeFile(join(this.launch(mark), 'ready'), '')
  }

  async wasReady(mark: LaunchMark): Promise<boolean> {
    return stat(join(this.launch(mark), 'ready')).then(
      () => true,
      () => false,
    )
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
    await writeFile(draft, JSON.stringify(logs), { mode: 0o600 })
    await rename(draft, join(folder, `${attempt}.json`))
  }

  async endedAttempts(instanceId: string): Promise<number[]> {
    const names = await namesIn(join(this.ended, checkedInstanceId(instanceId)))
    return names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10))
  }

  async endedLogs(instanceId: string): Promise<EndedAttempt[]> {
    const attempts = await this.endedAttempts(instanceId)
    return Promise.all(
      attempts.map(async (attempt) => {
        const text = await readFile(join(this.ended, instanceId, `${attempt}.json`), 'utf8').catch(() => '[]')
        return { attempt, logs: JSON.parse(text) as ServerLogLine[] }
      }),
    )
  }

  /** Keeps the logs of the newest `keep` ended instances, and no configuration of a launch that has no container. */
  async prune(keep: number, launched: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(this.launches)) {
      if (!launched.has(name)) await rm(join(this.launches, name), { recursive: true, force: true })
    }
    await this.pruneEnded(keep)
  }

  async pruneEnded(keep: number): Promise<void> {
    const names = await namesIn(this.ended)
    if (names.length <= keep) return
    const modified = (name: string) =>
      stat(join(this.ended, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      )
    const aged = await Promise.all(names.map(async (name) => ({ name, at: await modified(name) })))
    aged.sort((a, b) => b.at - a.at)
    for (const { name } of aged.slice(keep)) await rm(join(this.ended, name), { recursive: true, force: true })
  }

  private launch({ instanceId, attempt }: LaunchMark): string {
    return join(this.launches, checkedInstanceId(instanceId), String(attempt))
  }
}

export const makePrivate = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** The names in a folder; none when there is no such folder. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
