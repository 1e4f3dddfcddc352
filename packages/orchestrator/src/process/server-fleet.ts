import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { DEFAULT_TIER, TIER_SIZES } from '@matchyard/core'
import {
  type BuildStore,
  type Clock,
  type HeldRoom,
  KeyedQueue,
  type LaunchResult,
  type LaunchSpec,
  type Logger,
  type NodeLimits,
  type ObservedServer,
  type RoomAnswer,
  type RoomWish,
  type ServerLogLine,
} from '@matchyard/core/ports'
import type { Certificate } from '../kit/certificate'
import { type PortRange, ReadinessJudge, RoomKeeper, readBootId, UnpackedBuilds } from '../kit/index'
import { portsFrom } from '../kit/ports'
import type { AttemptFiles } from './attempt-files'
import type { Machine } from './attempt-state'
import { findCgroups, removeCgroups } from './cgroups'
import { guardInnerPorts } from './inner-port-guard'
import { type LaunchSettings, releaseLaunch } from './launch'
import { Launcher } from './launcher'
import { Layout } from './layout'
import { certificateGaps, limitationsOf, UNSEEN } from './limitations'
import { readLogs } from './logs'
import { isAlive, MarkedProcesses, sendSignal } from './proc'
import { findSandbox, type SandboxSearch } from './sandbox'
import { SharedLook } from './shared-look'
import { stopAttempt } from './stop'
import { Survey } from './survey'
import { Timers } from './timers'
import { Watch } from './watch'

/** Most times that a log is read again because its game server was restarted during the read. */
const MOST_READS = 5

const placesOf = (attempts: readonly AttemptFiles[]) => attempts.map(({ directory }) => directory).join('\n')

/** Milliseconds after which a draft folder counts as stale. A younger draft may be in use by another process. */
const STALE_DRAFT_MS = 60 * 60 * 1_000

export interface FleetOptions {
  readonly dataDirectory: string
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
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
  /** Limits of this machine. */
  readonly room: NodeLimits
  /** Certificate for ports with TLS. */
  readonly certificate?: Certificate | undefined
  /** Ports on which game servers listen behind TLS. */
  readonly innerPortRange: PortRange
  readonly innerPortGuard: 'auto' | 'none'
}

/** All game servers of one installation on this machine. */
export class ServerFleet {
  limitations: readonly string[] = []

  private readonly layout: Layout
  private readonly machine: Machine & { bootId: string | null }
  private readonly turns = new KeyedQueue()
  private readonly survey: Survey
  private readonly observed: SharedLook<ObservedServer[]>
  private readonly watch: Watch
  private readonly timers = new Timers()
  private readonly room: RoomKeeper
  private launcher: Launcher | undefined
  private builds: UnpackedBuilds | undefined

  constructor(private readonly options: FleetOptions) {
    this.layout = new Layout(options.dataDirectory)
    const marked = new MarkedProcesses(options.installationId)
    const processes = new SharedLook(() => marked.scan())
    this.machine = { bootId: null, scan: () => processes.ask() }
    const judge = new ReadinessJudge(() => options.logger.warn(UNSEEN))
    this.survey = new Survey(this.layout, this.machine, options.clock, judge)
    this.observed = new SharedLook(() => this.survey.all())
    this.watch = new Watch((only) => this.survey.recorded(only))
    this.room = new RoomKeeper(options.room, () => this.running())
  }

  async open(): Promise<void> {
    const { options, layout, machine } = this
    await layout.prepare()
    machine.bootId = await readBootId()
    const search = await this.findSandbox()
    const cgroups =
      options.limits === 'none' ? { version: 1 as const, folders: new Map() } : await findCgroups(options.cgroupParent)
    this.limitations = [...limitationsOf(search, cgroups), ...(await this.aroundTls(search))]
    for (const limitation of this.limitations) options.logger.warn(limitation)
    const builds = new UnpackedBuilds(layout.builds, options.buildStore, machine.bootId)
    const found = { bootId: machine.bootId, builds, sandbox: search.sandbox, cgroups }
    const settings: LaunchSettings = {
      ...options,
      ...found,
      innerPorts: portsFrom(options.innerPortRange, '127.0.0.1'),
    }
    this.launcher = new Launcher(layout, this.survey, settings, machine, this.room)
    // Servers that an earlier service process started need no special handling, because their state is in their files
    // and processes.
    await this.tidy('looking for game servers from before', async () => {
      options.logger.info('looked for game servers from before', { found: (await this.observe()).length })
    })
    this.builds = builds
    await this.pruneBuilds(builds)
    await this.tidy('removing the logs of old game servers', () => layout.prune(options.keptEnded))
    await this.tidy('removing launches that were cut off', () => layout.removeStaleDrafts(Date.now() - STALE_DRAFT_MS))
    this.watch.wake()
  }

  /** Closes the inner ports for other hosts, and returns one sentence for each way round TLS that is left. */
  private async aroundTls(search: SandboxSearch): Promise<string[]> {
    const { certificate, innerPortRange: innerPorts, innerPortGuard } = this.options
    if (certificate === undefined) return []
    const openBecause = innerPortGuard === 'none' ? undefined : await guardInnerPorts(innerPorts)
    return certificateGaps({ certificate, innerPorts, openBecause }, search)
  }

  /** Removes unpacked builds that are no longer in the store and that no server uses. */
  private async pruneRemoved(buildIds: ReadonlySet<string>): Promise<void> {
    const { builds } = this
    if (builds === undefined) return
    for (const buildId of buildIds) if (!(await builds.has(buildId))) return this.pruneBuilds(builds)
  }

  /** Removes the unpacked files of removed builds. */
  async prune(): Promise<void> {
    if (this.builds !== undefined) await this.pruneBuilds(this.builds)
  }

  private pruneBuilds(builds: UnpackedBuilds): Promise<void> {
    return this.tidy('removing builds that nobody uses', () => builds.prune(() => this.buildsInUse(builds)))
  }

  /**
   * Runs a cleanup step and logs its failure. The service starts even if the step fails, because the next start repeats
   * the step.
   */
  private async tidy(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.options.logger.error(`${what} failed; the service starts all the same`, { error: String(error) })
    }
  }

  close(): void {
    this.watch.close()
    this.timers.clear()
  }

  async admit(wish: RoomWish): Promise<RoomAnswer> {
    return (await this.builds?.lacks(wish.archiveOf)) ?? this.room.admit(wish)
  }

  private async running(): Promise<HeldRoom[]> {
    const running = (await this.observe()).filter(({ state }) => state !== 'exited')
    return Promise.all(
      running.map(async ({ instanceId, attempt }) => {
        const record = await this.layout.attempt(instanceId, attempt).read('record.json')
        // A server whose record or size is missing counts as a server of the smallest size.
        return { instanceId, tierSize: record?.tierSize ?? TIER_SIZES[DEFAULT_TIER] }
      }),
    )
  }

  async launch(spec: LaunchSpec): Promise<LaunchResult> {
    const { launcher, builds } = this
    if (launcher === undefined || builds === undefined) throw new Error('the orchestrator was not opened')
    const result = await this.turns.run(spec.instanceId, () =>
      builds.holding(spec.build.buildId, () => launcher.launch(spec, () => this.watch.wake(spec.instanceId))),
    )
    this.watch.wake(spec.instanceId)
    if (builds.isPruneDue) await this.pruneBuilds(builds)
    return result
  }

  stop(instanceId: string, graceMs: number): Promise<void> {
    return this.turns.run(instanceId, async () => {
      for (const files of await this.layout.attempts(instanceId)) {
        await stopAttempt(files, graceMs, this.machine, this.timers.later)
      }
      await this.stopStrays(instanceId, graceMs)
      this.watch.wake(instanceId)
    })
  }

  observe(): Promise<ObservedServer[]> {
    return this.observed.ask()
  }

  forget(instanceId: string): Promise<void> {
    return this.turns.run(instanceId, async () => {
      const attempts = await this.layout.attempts(instanceId)
      for (const files of attempts) {
        const { kind } = await this.survey.state(files)
        const over = kind === 'exited' || (kind === 'unlaunched' && (await files.closeClaim()))
        if (over) continue
        this.options.logger.warn('a game server that still runs is not forgotten', { instanceId })
        return
      }
      const buildIds = new Set<string>()
      for (const files of attempts) {
        const record = await files.read('record.json')
        if (record !== undefined) buildIds.add(record.buildId)
        await removeCgroups(record?.cgroups ?? [])
        await releaseLaunch(files)
        this.survey.drop(files)
      }
      if (attempts.length > 0) await this.layout.end(instanceId)
      // The build store may be unreachable. Then a later call searches for removed builds, and this server's files are
      // moved anyway.
      await this.tidy('looking for builds that were removed', () => this.pruneRemoved(buildIds))
      await this.layout.prune(this.options.keptEnded)
    })
  }

  async logs(instanceId: string, query: { limit: number; since?: number }): Promise<ServerLogLine[]> {
    const isFollowed = async (files: AttemptFiles) => {
      const claim = await files.read('claim.json')
      return claim !== undefined && 'pid' in claim && isAlive(claim, this.machine.bootId)
    }
    // The files of an ending attempt are moved once. A read at that moment may have missed them, so it is repeated.
    let from = await this.allAttempts(instanceId)
    for (let reads = 1; ; reads++) {
      const lines = await readLogs(from, isFollowed, { ...query, journalBytes: this.options.logBytes })
      const now = await this.allAttempts(instanceId)
      if (placesOf(now) === placesOf(from) || reads === MOST_READS) return lines
      from = now
    }
  }

  /** Returns all attempts of an instance, oldest first: the attempts that run or may run, and the ended attempts. */
  private async allAttempts(instanceId: string): Promise<AttemptFiles[]> {
    const [live, ended] = [await this.layout.attempts(instanceId), await this.layout.endedAttempts(instanceId)]
    const isOver = new Set(ended.map(({ attempt }) => attempt))
    return [...ended, ...live.filter(({ attempt }) => !isOver.has(attempt))].sort((a, b) => a.attempt - b.attempt)
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
    this.timers.later(`strays of ${instanceId}`, graceMs, () => {
      signal('SIGKILL').catch(() => {}) // the next `observe` returns the process, and the core stops it again
    })
  }

  private async findSandbox(): Promise<SandboxSearch> {
    const { isolation, readOnlyPaths, hiddenPaths, dataDirectory } = this.options
    if (isolation === 'none') return { sandbox: undefined, why: 'isolation is switched off' }
    // The real paths are hidden too. Otherwise a symbolic link in a visible folder would make the hidden folder
    // visible.
    const real = await Promise.all(hiddenPaths.map((path) => realpath(path).catch(() => path)))
    return findSandbox(dataDirectory, { readOnlyPaths, hiddenPaths: [...new Set([...hiddenPaths, ...real])] })
  }

  /**
   * Returns the folders of used builds; undefined when the record of a running server does not name its build. Launches
   * that were only prepared do not count, because they will be prepared again.
   */
  private async buildsInUse(builds: UnpackedBuilds): Promise<Set<string> | undefined> {
    const inUse = new Set<string>()
    for (const instanceId of await this.layout.instances()) {
      for (const files of await this.layout.attempts(instanceId)) {
        const record = await files.read('record.json')
        if (record !== undefined) inUse.add(builds.nameOf(record.buildId))
        else if ((await this.survey.state(files)).kind === 'alive') {
          const plan = await files.read('plan.json')
          if (plan === undefined) return undefined
          // Without a sandbox, the server runs from a copy of the build, so it does not use the shared build folder.
          for (const path of plan.args) if (dirname(path) === this.layout.builds) inUse.add(basename(path))
        }
      }
    }
    return inUse
  }
}
