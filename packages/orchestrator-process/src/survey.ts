import type { Clock, ObservedServer } from '@matchyard/core'
import type { AttemptFiles } from './attempt-files'
import { type AttemptState, attemptState, type Machine } from './attempt-state'
import type { Layout } from './layout'
import type { MarkedProcess } from './proc'
import { sendSignal } from './proc'
import { isReady } from './readiness'

/** Says what is there: from the files of each attempt, and from the processes that no file knows. */
export class Survey {
  // What does not change any more: once ready, once ended.
  private readonly ready = new Set<string>()
  private readonly exited = new Map<string, AttemptState>()

  constructor(
    private readonly layout: Layout,
    private readonly machine: Machine,
    private readonly clock: Clock,
  ) {}

  /** Every recorded instance: its newest launched attempt, and older ones that still run. */
  async recorded(): Promise<ObservedServer[]> {
    const instances = await Promise.all((await this.layout.instances()).map((id) => this.instance(id)))
    return instances.flat()
  }

  /** The recorded ones and the strays. */
  async all(): Promise<ObservedServer[]> {
    // First the processes, then the records: a process seen here was recorded before it was started.
    const processes = await this.machine.scan()
    const recorded = await this.recorded()
    const strays = new Map<string, ObservedServer>()
    for (const { instanceId, attempt } of await this.strays(processes)) {
      strays.set(`${instanceId} ${attempt}`, { instanceId, attempt, state: 'ready', exit: null })
    }
    return [...recorded, ...strays.values()]
  }

  /** Those that still run and that no folder knows. */
  async strays(processes: readonly MarkedProcess[]): Promise<MarkedProcess[]> {
    const known = new Map<string, Set<number>>()
    for (const { instanceId } of processes) {
      if (known.has(instanceId)) continue
      known.set(instanceId, new Set((await this.layout.attempts(instanceId)).map(({ attempt }) => attempt)))
    }
    const unknown = processes.filter(({ instanceId, attempt }) => known.get(instanceId)?.has(attempt) !== true)
    return unknown.filter(({ pid }) => sendSignal(pid, 0))
  }

  async state(files: AttemptFiles): Promise<AttemptState> {
    const known = this.exited.get(files.directory)
    if (known !== undefined) return known
    const state = await attemptState(files, this.machine)
    if (state.kind === 'exited') this.exited.set(files.directory, state)
    return state
  }

  /** The folder is gone; a later one of the same name is another matter. */
  drop(files: AttemptFiles): void {
    this.exited.delete(files.directory)
    this.ready.delete(files.directory)
  }

  private async instance(instanceId: string): Promise<ObservedServer[]> {
    const observed: ObservedServer[] = []
    let newest = true
    for (const files of (await this.layout.attempts(instanceId)).reverse()) {
      const state = await this.state(files)
      if (state.kind === 'unlaunched') continue
      if (newest || state.kind === 'alive') observed.push(await this.observed(files, state))
      newest = false
    }
    return observed
  }

  private async observed(
    files: AttemptFiles,
    state: Exclude<AttemptState, { kind: 'unlaunched' }>,
  ): Promise<ObservedServer> {
    const { instanceId, attempt } = files
    if (state.kind === 'exited') return { instanceId, attempt, state: 'exited', exit: state.exit }
    const ready = await this.hasBecomeReady(files, state)
    return { instanceId, attempt, state: ready ? 'ready' : 'starting', exit: null }
  }

  private async hasBecomeReady(files: AttemptFiles, { status }: AttemptState & { kind: 'alive' }): Promise<boolean> {
    if (this.ready.has(files.directory)) return true
    if (status === undefined) return false
    const record = await files.read('record.json')
    if (record === undefined) return false
    const already = (await files.read('ready.json')) !== undefined
    if (!already && !(await isReady(record, status, this.clock))) return false
    this.ready.add(files.directory)
    // Kept, so that a server that is too busy to accept just after a restart of the service does not fall back.
    if (!already) await files.write('ready.json', { at: this.clock.now() }).catch(() => {})
    return true
  }
}
