import { setTimeout as pause } from 'node:timers/promises'
import { BuildStoreAway, type LaunchResult, type LaunchSpec, StorageUnavailable } from '@matchyard/core/ports'
import {
  addressInUse,
  away,
  final,
  hasCode,
  machineFault,
  OK,
  portInUse,
  type RoomKeeper,
  retry,
  takenPort,
} from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { Machine } from './attempt-state'
import { discardDraft, discardLaunch, type LaunchSettings, prepareLaunch, releaseLaunch } from './launch'
import type { Layout } from './layout'
import { killAttempt } from './stop'
import { superviseStart } from './supervise'
import type { Survey } from './survey'

const SUPERSEDE_LOOKS = 250
const SUPERSEDE_LOOK_MS = 20
/**
 * Error codes of a program that is missing, forbidden or not executable. Every further attempt would fail in the same
 * way.
 */
const FINAL_CODES = ['ENOENT', 'EACCES', 'EPERM', 'ENOEXEC', 'ENOTDIR', 'EISDIR']

/**
 * Launches each pair of instance and attempt once, also after a crash of the service at any point. The service writes
 * the record first. Then it starts a supervisor, which claims the record before it starts the server. When several
 * supervisors are started for one record, only one gets the claim and starts the server.
 */
export class Launcher {
  constructor(
    private readonly layout: Layout,
    private readonly survey: Survey,
    private readonly settings: LaunchSettings,
    private readonly machine: Machine,
    private readonly room: RoomKeeper,
  ) {}

  /** Launches a server. The caller never runs two launches of one instance at the same time. */
  async launch(spec: LaunchSpec, onEnd: () => void): Promise<LaunchResult> {
    const files = this.layout.attempt(spec.instanceId, spec.attempt)
    const earlier = await this.launchedBefore(files)
    if (earlier !== undefined) return earlier
    try {
      const blocked = await this.supersede(files)
      if (blocked !== undefined) return blocked
      return await this.room.launch(spec, () => this.begin(files, spec, onEnd))
    } catch (error) {
      if (error instanceof BuildStoreAway) return away(error.message)
      return isOfDisk(error) ? machineFault(describe(error)) : retry(describe(error))
    }
  }

  private async begin(files: AttemptFiles, spec: LaunchSpec, onEnd: () => void): Promise<LaunchResult> {
    const taken = await takenPort(spec.networkPorts)
    if (taken !== undefined) return portInUse(taken)
    // The launch was recorded but not claimed, because the service crashed in between. The files prepared for that
    // launch are used.
    const prepared = (await this.isPrepared(files)) ? OK : await this.prepare(files, spec)
    return prepared.ok ? this.start(files, spec, onEnd) : prepared
  }

  /**
   * Whether all files of the launch are prepared. They appear in one step, so if some are missing, they were damaged
   * and are prepared again.
   */
  private async isPrepared(files: AttemptFiles): Promise<boolean> {
    if (!(await files.exists())) return false
    const [record, plan] = [await files.read('record.json'), await files.read('plan.json')]
    if (record !== undefined && plan !== undefined) return true
    await discardLaunch(files)
    return false
  }

  private async prepare(files: AttemptFiles, spec: LaunchSpec): Promise<LaunchResult> {
    const draft = await this.layout.draft(spec.instanceId)
    try {
      return await prepareLaunch(files, draft, spec, this.settings)
    } finally {
      await discardDraft(draft, files)
    }
  }

  private async launchedBefore(files: AttemptFiles): Promise<LaunchResult | undefined> {
    const ended = await this.layout.endedAttempts(files.instanceId)
    const [oldest] = ended
    // An attempt that is older than the kept attempts was launched before, or another attempt replaced it.
    if (oldest !== undefined && files.attempt < oldest.attempt) return OK
    const known = ended.find(({ attempt }) => attempt === files.attempt)
    const claim = await (known ?? files).read('claim.json')
    if (claim !== undefined && 'closed' in claim) return final('it was stopped before it was launched')
    if (known !== undefined) return OK
    return (await this.survey.state(files)).kind === 'unlaunched' ? undefined : OK
  }

  /** Ends an earlier attempt before the next attempt starts, because an instance has at most one process. */
  private async supersede(files: AttemptFiles): Promise<LaunchResult | undefined> {
    for (const other of await this.layout.attempts(files.instanceId)) {
      if (other.attempt === files.attempt) continue
      if (other.attempt > files.attempt) return retry(`attempt ${other.attempt} has been launched since`)
      if (!(await this.isOver(other))) return retry(`attempt ${other.attempt} does not end`)
      await releaseLaunch(other)
    }
    return undefined
  }

  private async isOver(files: AttemptFiles): Promise<boolean> {
    for (let look = 0; look < SUPERSEDE_LOOKS; look++) {
      const { kind } = await this.survey.state(files)
      if (kind === 'exited' || (kind === 'unlaunched' && (await files.closeClaim()))) return true
      await killAttempt(files, this.machine)
      await pause(SUPERSEDE_LOOK_MS)
    }
    return false
  }

  private async start(files: AttemptFiles, { environment = {} }: LaunchSpec, onEnd: () => void): Promise<LaunchResult> {
    const start = await superviseStart(files, this.settings.installationId, environment, onEnd)
    if (start.kind === 'launched') return OK
    await discardLaunch(files)
    if (start.kind === 'unclaimed') return retry(start.message)
    const { code, message, part } = start.failure
    if (part === 'front') return code === 'EADDRINUSE' ? addressInUse(message) : machineFault(message)
    // In a sandbox, the programs of the machine are started here, and the game server only by them.
    if (this.settings.sandbox !== undefined && code !== 'E2BIG')
      return machineFault(`the sandbox could not be started: ${message}`)
    const judge = code === null || !FINAL_CODES.includes(code) ? retry : final
    return judge(`the game server could not be started: ${message}`)
  }
}

const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT')

/** Whether an error comes from the disk of this machine, which is full, read-only or broken. */
const isOfDisk = (error: unknown): boolean => isFull(error) || error instanceof StorageUnavailable

function describe(error: unknown): string {
  if (isFull(error)) return 'the disk is full'
  if (error instanceof StorageUnavailable) return error.message
  return error instanceof Error ? error.message : String(error)
}
