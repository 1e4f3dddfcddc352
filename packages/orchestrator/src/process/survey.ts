import type { Clock, ObservedServer } from '@matchyard/core/ports'
import { dropAbsent, type ReadinessJudge, type Verdict } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { StartedStatus } from './attempt-records'
import { type AttemptState, attemptState, type Machine } from './attempt-state'
import type { Layout } from './layout'
import type { MarkedProcess } from './proc'
import { sendSignal } from './proc'
import { lookAt, startedOf } from './readiness'
import { killAttempt } from './stop'

/**
 * Finds the game servers of the installation: from the files of each attempt, and from processes that have no files.
 */
export class Survey {
  // Attempts that are known to be ready, and attempts that have ended. These facts never change.
  private readonly ready = new Set<string>()
  private readonly exited = new Map<string, AttemptState>()
  private readonly started = new Map<string, number>()

  constructor(
    private readonly layout: Layout,
    private readonly machine: Machine,
    private readonly clock: Clock,
    private readonly judge: ReadinessJudge,
  ) {}

  /**
   * Returns the newest launched attempt of each recorded instance, and older attempts that still run; with `only`, for
   * these instances only.
   */
  async recorded(only?: ReadonlySet<string>): Promise<ObservedServer[]> {
    return (await this.look(only)).observed
  }

  /** Returns the recorded servers, and the strays: running servers without a folder of files. */
  async all(): Promise<ObservedServer[]> {
    // Processes are read before records. A process is recorded before its start, so the record of every found process
    // exists.
    const processes = await this.machine.scan()
    const { observed: recorded, unlaunched } = await this.look()
    const strays = new Map<string, ObservedServer>()
    for (const { instanceId, attempt } of await this.strays(processes, unlaunched)) {
      strays.set(`${instanceId} ${attempt}`, { instanceId, attempt, state: 'ready', exit: null })
    }
    return [...recorded, ...strays.values()]
  }

  /**
   * Returns the strays: running servers without a folder of files. A folder counts only if its files show that a launch
   * happened.
   */
  async strays(
    processes: readonly MarkedProcess[],
    unlaunched: ReadonlySet<string> = new Set(),
  ): Promise<MarkedProcess[]> {
    const servers = processes.filter(({ isSupervisor, isEnding }) => !isSupervisor && !isEnding)
    const known = new Map<string, Set<number>>()
    for (const { instanceId } of servers) {
      if (known.has(instanceId)) continue
      const attempts = (await this.layout.attempts(instanceId)).filter(({ directory }) => !unlaunched.has(directory))
      known.set(instanceId, new Set(attempts.map(({ attempt }) => attempt)))
    }
    const unknown = servers.filter(({ instanceId, attempt }) => known.get(instanceId)?.has(attempt) !== true)
    return unknown.filter(({ pid }) => sendSignal(pid, 0))
  }

  async state(files: AttemptFiles): Promise<AttemptState> {
    const known = this.exited.get(files.directory)
    if (known !== undefined) return known
    const state = await attemptState(files, this.machine)
    if (state.kind === 'exited') this.exited.set(files.directory, state)
    return state
  }

  /** Removes the stored facts about a removed folder. A later folder with the same name belongs to another attempt. */
  drop(files: AttemptFiles): void {
    this.exited.delete(files.directory)
    this.ready.delete(files.directory)
    this.started.delete(files.directory)
    this.judge.forget(files.directory)
  }

  private async look(only?: ReadonlySet<string>): Promise<Look> {
    const ids = only === undefined ? await this.layout.instances() : [...only]
    const looks = await Promise.all(ids.map((id) => this.instance(id)))
    // Someone may have removed a folder by hand, without a call of `forget`: the facts about such folders are dropped.
    if (only === undefined)
      dropAbsent(new Set(looks.flatMap(({ seen }) => seen)), this.ready, this.exited, this.started)
    const unlaunched = new Set(looks.flatMap((one) => [...one.unlaunched]))
    return { observed: looks.flatMap(({ observed }) => observed), unlaunched, seen: [] }
  }

  private async instance(instanceId: string): Promise<Look> {
    const observed: ObservedServer[] = []
    const unlaunched = new Set<string>()
    const attempts = (await this.layout.attempts(instanceId)).reverse()
    let newest = true
    for (const files of attempts) {
      const state = await this.state(files)
      if (state.kind === 'unlaunched') unlaunched.add(files.directory)
      if (state.kind === 'unlaunched') continue
      if (newest || state.kind === 'alive') observed.push(await this.observed(files, state))
      newest = false
    }
    return { observed, unlaunched, seen: attempts.map(({ directory }) => directory) }
  }

  private async observed(
    files: AttemptFiles,
    state: Exclude<AttemptState, { kind: 'unlaunched' }>,
  ): Promise<ObservedServer> {
    const { instanceId, attempt } = files
    if (state.kind === 'exited')
      return { instanceId, attempt, state: 'exited', exit: state.exit, ...(await this.since(files)) }
    const { ready, waitsFor } = await this.readiness(files, state)
    if (ready) return { instanceId, attempt, state: 'ready', exit: null }
    const more = { ...(waitsFor === undefined ? {} : { waitsFor }), ...(await this.since(files, state.status)) }
    return { instanceId, attempt, state: 'starting', exit: null, ...more }
  }

  /** Returns the start time of the process, which does not change; an empty object when no process was started. */
  private async since(files: AttemptFiles, status?: StartedStatus): Promise<{ readonly startedAt?: number }> {
    const known = this.started.get(files.directory)
    const startedAt =
      known ?? (status ?? (await files.read('status.json')))?.at ?? (await files.writtenAt('status.json'))
    if (startedAt === undefined) return {}
    this.started.set(files.directory, startedAt)
    return { startedAt: Math.floor(startedAt) }
  }

  private async readiness(files: AttemptFiles, { status }: AttemptState & { kind: 'alive' }): Promise<Verdict> {
    if (this.ready.has(files.directory)) return { ready: true }
    // The existence of the file is enough; its content does not matter.
    const already = (await files.writtenAt('ready.json')) !== undefined
    const verdict = already ? { ready: true } : await this.judged(files, status)
    if (!verdict.ready) return verdict
    this.ready.add(files.directory)
    this.judge.forget(files.directory)
    // The readiness is recorded. So a server still counts as ready when it is too busy to accept connections after a
    // restart of the service.
    if (!already) await files.write('ready.json', { at: this.clock.now() }).catch(() => {})
    return verdict
  }

  private async judged(files: AttemptFiles, status: StartedStatus | undefined): Promise<Verdict> {
    const startedAt = status?.at ?? (await files.writtenAt('status.json'))
    if (startedAt === undefined) return { ready: false }
    const record = await files.read('record.json')
    if (record !== undefined) {
      const look = lookAt(files, { record, status }, this.machine)
      return this.judge.judge(files.directory, startedOf(record, startedAt), look, this.clock.now())
    }
    // Without the record, the service cannot find out whether the server is ready. So the server is killed, and the
    // next attempt gets a new record.
    await killAttempt(files, this.machine)
    return { ready: false }
  }
}

interface Look {
  readonly observed: ObservedServer[]
  /** Folders of attempts whose files do not show that a launch happened. */
  readonly unlaunched: ReadonlySet<string>
  /** Folders of all attempts that were read. */
  readonly seen: readonly string[]
}
