import type { Service } from '../node/service'
import type { ClaimedJob } from '../ports/storage/index'
import { machineForJob } from '../runtime/job-machine'
import { firstOfLines, mayStart } from '../runtime/line'
import { Beat } from './beat'
import { SERVER_SIGNAL_MS } from './cadence'
import type { JobRunner } from './job-runner'
import type { MachineLane } from './lanes'
import type { MachineLoop } from './machine-loop'

/** Maximum number of signalled servers that one read covers. Past it, every hosted machine checks all its servers. */
const MAX_SIGNALLED = 1_000

/**
 * Loops of the machines that this node hosts. Records that concern all machines are read once here, and only the machines that they concern
 * are woken. So the cost of a change does not grow with the number of hosted machines.
 */
export class HostedLoops {
  private readonly loops = new Map<string, MachineLoop>()
  private readonly signalled = new Set<string>()
  private readonly servers: Beat
  private looked: () => void = () => {}
  private due: (lane: MachineLane, at: number) => void = () => {}

  constructor(private readonly ctx: Service) {
    this.servers = new Beat(ctx, 'finding the machines of changed servers', () => this.lookAtSignalled())
  }

  /** Sets the listener that is called after each read of the machines' records. */
  whenLooked(listener: () => void): void {
    this.looked = listener
  }

  /** Sets the listener that is called when jobs of a lane should be claimed at a time. */
  whenDue(listener: (lane: MachineLane, at: number) => void): void {
    this.due = listener
  }

  add(machineId: string, loop: MachineLoop): void {
    this.loops.set(machineId, loop)
  }

  /** Removes the loop of a machine, unless the machine has another loop by now. */
  remove(machineId: string, loop: MachineLoop): void {
    if (this.loops.get(machineId) === loop) this.loops.delete(machineId)
  }

  /** Wakes the claims of a lane, because a job of a hosted machine has ended. */
  jobDone(lane: MachineLane, at: number): void {
    this.due(lane, at)
  }

  /** Returns the runner of the hosted machine that shall run a job; undefined when no hosted machine shall. */
  async runnerFor(lane: MachineLane, job: ClaimedJob): Promise<JobRunner | undefined> {
    if (this.loops.size === 0) return undefined
    const machineId = await machineForJob(this.ctx, job, (id) => this.loops.has(id))
    return machineId === undefined ? undefined : this.loops.get(machineId)?.runnerOf(lane)
  }

  /** Records a signal that the server with this instance id has changed. */
  onServer(instanceId: string): void {
    if (this.loops.size === 0) return
    if (this.signalled.size >= MAX_SIGNALLED) this.missed()
    else this.signalled.add(instanceId)
    this.servers.wake(this.ctx.clock.now() + SERVER_SIGNAL_MS)
  }

  /** Lets every machine do all its work, because signals may have been missed. */
  missed(): void {
    this.signalled.clear()
    for (const loop of this.loops.values()) loop.missed()
  }

  /** Reports a read of the machines' records. */
  machinesRead({ isChanged }: { readonly isChanged: boolean }): void {
    this.looked()
    if (isChanged) for (const loop of this.loops.values()) loop.machinesChanged()
  }

  /** Wakes the machines that may start a server of the waiting line. */
  async lookAtLine(): Promise<void> {
    if (this.loops.size === 0) return
    const heads = await firstOfLines(this.ctx)
    if (heads.length === 0) return
    for (const loop of this.loops.values()) if (heads.some((head) => mayStart(loop.ctx, head))) loop.wakeLine()
  }

  stop(): Promise<void> {
    return this.servers.stop()
  }

  private async lookAtSignalled(): Promise<number> {
    const ids = [...this.signalled]
    this.signalled.clear()
    if (ids.length === 0) return Number.POSITIVE_INFINITY
    try {
      for (const { id, nodeId } of await this.ctx.storage.getMany('server', ids))
        if (nodeId !== null) this.loops.get(nodeId)?.lookAtServer(id, this.ctx.clock.now())
    } catch (error) {
      this.missed()
      throw error
    }
    return Number.POSITIVE_INFINITY
  }
}
