import { realpath } from 'node:fs/promises'
import type {
  BuildStore,
  Clock,
  LaunchResult,
  LaunchSpec,
  Logger,
  ObservedServer,
  ServerLogLine,
} from '@matchyard/core'
import type { AttemptFiles } from './attempt-files'
import type { Machine } from './attempt-state'
import { findCgroups, removeCgroups } from './cgroups'
import { KeyedLock } from './keyed-lock'
import { type LaunchSettings, releaseLaunch } from './launch'
import { Launcher } from './launcher'
import { Layout } from './layout'
import { limitationsOf } from './limitations'
import { readLogs } from './logs'
import { isAlive, readBootId, scanProcesses, sendSignal } from './proc'
import { findSandbox, type SandboxSearch } from './sandbox'
import { type Later, stopAttempt } from './stop'
import { Survey } from './survey'
import { UnpackedBuilds } from './unpacked-builds'
import { Watch } from './watch'

/** No launch is prepared for so long; a younger draft may be the work of another process. */
const STALE_DRAFT_MS = 60 * 60 * 1_000

export interface FleetOptions {
  readonly dataDirectory: string
  readonly buildStore: BuildStore
  readonly installationId: string
  readonly clock: Clock
  readonly logger: Logger
  readonly isolation: 'auto' | 'none'
  readonly limits: 'auto' | 'none'
  readonly readOnlyPaths: readonly string[]
  readonly hiddenPaths: readonly string[]
  readonly cgroupParent?: string
  readonly logBytes: number
  readonly keptEnded: number
}

/** Every game server of one installation on this machine. */
export class ServerFleet {
  limitations: readonly string[] = []

  private readonly layout: Layout
  private readonly machine: Machine & { bootId: string | null }
  private readonly lock = new KeyedLock()
  private readonly survey: Survey
  private readonly watch: Watch
  private readonly timers = new Set<NodeJS.Timeout>()
  private launcher: Launcher | undefined

  constructor(private readonly options: FleetOptions) {
    this.layout = new Layout(options.dataDirectory)
    this.machine = { bootId: null, scan: () => scanProcesses(options.installationId) }
    this.survey = new Survey(this.layout, this.machine, options.clock)
    this.watch = new Watch(() => this.survey.recorded())
  }

  async open(): Promise<void> {
    const { options, layout, machine } = this
    await layout.prepare()
    machine.bootId = await readBootId()
    const search = await this.findSandbox()
    const cgroups =
      options.limits === 'none' ? { version: 1 as const, folders: new Map() } : await findCgroups(options.cgroupParent)
    this.limitations = limitationsOf(search, cgroups)
    for (const limitation of this.limitations) options.logger.warn(limitation)
    const builds = new UnpackedBuilds(layout.builds, options.buildStore, machine.bootId)
    const settings: LaunchSettings = { ...options, bootId: machine.bootId, builds, sandbox: search.sandbox, cgroups }
    this.launcher = new Launcher(layout, this.survey, settings, machine)
    // What runs from before is adopted by being looked at: its files and its processes tell everything.
    const running = await this.survey.all()
    options.logger.info('looked for game servers from before', { found: running.length })
    await builds.prune(await this.buildsInUse())
    await layout.prune(options.keptEnded)
    await layout.removeStaleDrafts(Date.now() - STALE_DRAFT_MS)
    this.watch.wake()
  }

  close(): void {
    this.watch.close()
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
  }

  async launch(spec: LaunchSpec): Promise<LaunchResult> {
    const { launcher } = this
    if (launcher === undefined) throw new Error('the orchestrator was not opened')
    const result = await this.lock.run(spec.instanceId, () => launcher.launch(spec, () => this.watch.wake()))
    this.watch.wake()
    return result
  }

  stop(instanceId: string, graceMs: number): Promise<void> {
    return this.lock.run(instanceId, async () => {
      for (const files of await this.layout.attempts(instanceId)) {
        await stopAttempt(files, graceMs, this.machine, this.later)
      }
      await this.stopStrays(instanceId, graceMs)
      this.watch.wake()
    })
  }

  observe(): Promise<ObservedServer[]> {
    return this.survey.all()
  }

  forget(instanceId: string): Promise<void> {
    return this.lock.run(instanceId, async () => {
      const attempts = await this.layout.attempts(instanceId)
      for (const files of attempts) {
        const { kind } = await this.survey.state(files)
        const over = kind === 'exited' || (kind === 'unlaunched' && (await files.closeClaim()))
        if (over) continue
        this.options.logger.warn('a game server that still runs is not forgotten', { instanceId })
        return
      }
      for (const files of attempts) {
        const record = await files.read('record.json')
        await removeCgroups(record?.cgroups ?? [])
        await releaseLaunch(files)
        this.survey.drop(files)
      }
      if (attempts.length > 0) await this.layout.end(instanceId)
      await this.layout.prune(this.options.keptEnded)
    })
  }

  async logs(instanceId: string, query: { limit: number; since?: number }): Promise<ServerLogLine[]> {
    const both = [...(await this.layout.endedAttempts(instanceId)), ...(await this.layout.attempts(instanceId))]
    const isFollowed = async (files: AttemptFiles) => {
      const claim = await files.read('claim.json')
      return claim !== undefined && 'pid' in claim && isAlive(claim, this.machine.bootId)
    }
    return readLogs(
      both.sort((a, b) => a.attempt - b.attempt),
      isFollowed,
      query,
    )
  }

  subscribe(listener: (instanceId: string) => void): () => void {
    return this.watch.subscribe(listener)
  }

  private async stopStrays(instanceId: string, graceMs: number): Promise<void> {
    const signal = async (name: NodeJS.Signals) => {
      const mine = (await this.machine.scan()).filter((process) => process.instanceId === instanceId)
      for (const { pid } of await this.survey.strays(mine)) sendSignal(pid, name)
    }
    await signal('SIGTERM')
    this.later(graceMs, () => {
      signal('SIGKILL').catch(() => {}) // seen again by `observe`, and stopped again
    })
  }

  private readonly later: Later = (ms, callback) => {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      callback()
    }, ms)
    timer.unref()
    this.timers.add(timer)
  }

  private async findSandbox(): Promise<SandboxSearch> {
    const { isolation, readOnlyPaths, hiddenPaths, dataDirectory } = this.options
    if (isolation === 'none') return { sandbox: undefined, why: 'isolation is switched off' }
    // By their real names too: a link into a folder that is visible would show them.
    const real = await Promise.all(hiddenPaths.map((path) => realpath(path).catch(() => path)))
    return findSandbox(dataDirectory, { readOnlyPaths, hiddenPaths: [...new Set([...hiddenPaths, ...real])] })
  }

  private async buildsInUse(): Promise<Set<string>> {
    const inUse = new Set<string>()
    for (const instanceId of await this.layout.instances()) {
      for (const files of await this.layout.attempts(instanceId)) {
        const record = await files.read('record.json')
        if (record !== undefined) inUse.add(record.buildId)
      }
    }
    return inUse
  }
}
