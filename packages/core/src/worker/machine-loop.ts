import type { Service } from '../node/service'
import { noteHeartbeat } from '../reads/node-presence'
import { keepWarm } from '../runtime/keep-warm'
import { advanceLine } from '../runtime/line'
import { whenServersMove } from '../runtime/reconcile'
import { freeRemovedBuilds } from '../runtime/remove-artifact'
import { reportMachine } from '../runtime/report-machine'
import { Beat } from './beat'
import { LINE_MS, PRUNE_BUILDS_MS, ROOM_SIGNAL_MS, SERVER_SIGNAL_MS } from './cadence'
import { inTime } from './in-time'
import { JobRunner } from './job-runner'
import { MACHINE_LANES, type MachineLane } from './lanes'
import { launchHands } from './launch-hands'
import { ServerLooks } from './server-looks'

/** Number of heartbeats in the period `nodeLostAfterMs`. */
const HEARTBEATS = 6

/**
 * Repeats the background work for one machine that this node hosts: launches, the waiting line, warm servers, and the comparison of running
 * servers with their records. The machine is a node of its own for all other nodes, so another node can host it later. Work that needs the
 * records of all machines or jobs is done once for all hosted machines (see `HostedLoops`).
 */
export class MachineLoop {
  private readonly runners: Readonly<Record<MachineLane, JobRunner>>
  private readonly serverLooks: ServerLooks
  private readonly servers: Beat
  private readonly line: Beat
  private readonly warm: Beat
  private readonly presence: Beat
  private readonly builds: Beat
  private unsubscribe: () => void = () => {}
  private handsWereFull = false

  constructor(
    readonly ctx: Service,
    /** Called when a job of the machine has ended. `claimAt` is the time of the next claim in the lane. */
    onJobDone: (lane: MachineLane, claimAt: number) => void,
  ) {
    const { clock } = ctx
    const runners = MACHINE_LANES.map((name) => {
      const runner = new JobRunner(ctx, name, (claimAt) => {
        onJobDone(name, claimAt)
        if (name === 'launches' && this.handsWereFull) this.line.wake(clock.now())
      })
      return [name, runner] as const
    })
    this.runners = Object.fromEntries(runners) as Record<MachineLane, JobRunner>
    this.serverLooks = new ServerLooks(ctx)
    this.servers = new Beat(ctx, 'reconciling servers', () => this.serverLooks.look(this.hands))
    this.line = new Beat(ctx, 'giving capacity to waiting servers', () => this.giveRoom())
    this.warm = new Beat(ctx, 'keeping servers warm', () => keepWarm(ctx))
    this.presence = new Beat(ctx, 'reporting the machine', () => this.report())
    this.builds = new Beat(ctx, 'removing files of deleted builds', async () => {
      await freeRemovedBuilds(ctx)
      return clock.now() + PRUNE_BUILDS_MS
    })
  }

  start(): void {
    const { clock, node } = this.ctx
    this.unsubscribe = whenServersMove(this.ctx, (instanceId) => {
      node.room.reopen()
      if (instanceId !== '') this.lookAtServer(instanceId, clock.now())
      this.line.wake(clock.now() + ROOM_SIGNAL_MS)
      this.warm.wake(clock.now() + SERVER_SIGNAL_MS)
    })
    for (const beat of this.standing) beat.wake(clock.now())
    this.builds.wake(clock.now() + PRUNE_BUILDS_MS)
  }

  /** Reports the machine now, so that the nodes know its properties and its capacity. */
  async report(): Promise<number> {
    const { ctx } = this
    const { settings, clock, peers } = ctx
    const at = clock.now()
    // Without a heartbeat the machine counts as away, because its game servers go on without this node.
    await noteHeartbeat(ctx, { nodeId: settings.nodeId, peerUrl: peers.url, goodbye: true }, at)
    await reportMachine(ctx, at)
    return clock.now() + settings.nodeLostAfterMs / HEARTBEATS
  }

  /** Returns the runner of the machine's jobs in a lane. */
  runnerOf(lane: MachineLane): JobRunner {
    return this.runners[lane]
  }

  /** Checks the server with this instance id by the time `at`. */
  lookAtServer(instanceId: string, at: number): void {
    this.serverLooks.hear(instanceId)
    this.servers.wake(at)
  }

  /** Does all work now, because signals may have been missed. */
  missed(): void {
    this.serverLooks.missed()
    for (const beat of this.standing) beat.wake(this.ctx.clock.now())
  }

  /** Launches servers that wait for capacity, now. */
  wakeLine(): void {
    this.line.wake(this.ctx.clock.now())
  }

  /** Adapts launches and warm servers to a change of the machines, now. */
  machinesChanged(): void {
    this.wakeLine()
    this.warm.wake(this.ctx.clock.now())
  }

  /** Finishes the running jobs within `withinMs`, and starts no new ones. */
  async stop(withinMs: number): Promise<void> {
    this.unsubscribe()
    const runners = Object.values(this.runners)
    for (const runner of runners) runner.stop()
    const beats = [...this.standing, this.builds]
    const atRest = Promise.all([...beats.map((beat) => beat.stop()), ...runners.map((runner) => runner.drain())])
    const isAtRest = await inTime(this.ctx.timers, atRest, withinMs).catch(() => false)
    // The claims of these jobs expire within seconds, and the next host of the machine continues the work.
    if (!isAtRest) for (const runner of runners) runner.letGo()
  }

  private get standing(): readonly Beat[] {
    return [this.servers, this.line, this.warm, this.presence]
  }

  private get hands() {
    return launchHands(this.runners.launches)
  }

  private async giveRoom(): Promise<number> {
    const { ctx, hands } = this
    this.handsWereFull = false
    await advanceLine(ctx, hands)
    this.handsWereFull = !hands.isFree()
    // While the machine has capacity, the look at the lines of all hosted machines wakes it.
    return ctx.node.room.isFull ? ctx.clock.now() + LINE_MS : Number.POSITIVE_INFINITY
  }
}
