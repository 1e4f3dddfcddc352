import type { JobKind } from '../commit/jobs'
import type { Service } from '../node/service'
import type { Signal } from '../ports/storage/index'
import { lookAtMachines, machinesTold } from '../reads/machines'
import { noteHeartbeat } from '../reads/node-presence'
import { noteDrained } from '../runtime/drain'
import { keepWarm } from '../runtime/keep-warm'
import { advanceLine } from '../runtime/line'
import { whenServersMove } from '../runtime/reconcile'
import { freeRemovedBuilds } from '../runtime/remove-artifact'
import { reportMachine } from '../runtime/report-machine'
import { Beat } from './beat'
import { LINE_MS, MACHINES_MS, POLL_MS, PRUNE_BUILDS_MS, ROOM_SIGNAL_MS, SERVER_SIGNAL_MS } from './cadence'
import { JobRunner } from './job-runner'
import { LANES, type LaneName, laneOf } from './lanes'
import { launchHands } from './launch-hands'
import { ServerLooks } from './server-looks'

/** Lanes of the jobs that concern the game servers of one machine. */
const MACHINE_LANES = ['launches', 'servers', 'logs'] as const satisfies readonly LaneName[]
const MACHINE_KINDS: readonly JobKind[] = MACHINE_LANES.flatMap((name): readonly JobKind[] => LANES[name].kinds)

/** Number of heartbeats in the period `nodeLostAfterMs`. */
const HEARTBEATS = 6

/**
 * Repeats the background work for one machine that this node hosts: launches, the waiting line, warm servers, and the comparison of running
 * servers with their records. The machine is a node of its own for all other nodes, so another node can host it later.
 */
export class MachineLoop {
  private readonly runners = new Map<LaneName, JobRunner>()
  private readonly lanes = new Map<LaneName, Beat>()
  private readonly serverLooks: ServerLooks
  private readonly jobs: Beat
  private readonly servers: Beat
  private readonly line: Beat
  private readonly warm: Beat
  private readonly presence: Beat
  private readonly machines: Beat
  private readonly builds: Beat
  private unsubscribe: (() => void)[] = []
  private handsWereFull = false
  private machinesTold = ''

  constructor(
    private readonly ctx: Service,
    /** Called after each read of the machines' records. */
    private readonly onLook: () => void,
  ) {
    const { clock } = ctx
    for (const name of MACHINE_LANES) {
      const runner = new JobRunner(ctx, name, (at) => this.onJobDone(name, at))
      this.runners.set(name, runner)
      this.lanes.set(name, new Beat(ctx, `running jobs (${name})`, () => runner.look(clock.now())))
    }
    this.serverLooks = new ServerLooks(ctx)
    this.jobs = new Beat(ctx, 'looking for jobs', () => this.lookAtJobs())
    this.servers = new Beat(ctx, 'reconciling servers', () => this.serverLooks.look(this.hands))
    this.line = new Beat(ctx, 'giving capacity to waiting servers', () => this.giveRoom())
    this.warm = new Beat(ctx, 'keeping servers warm', () => keepWarm(ctx))
    this.presence = new Beat(ctx, 'reporting the machine', () => this.report())
    this.machines = new Beat(ctx, 'looking at the machines', () => this.lookAtMachines())
    this.builds = new Beat(ctx, 'removing files of deleted builds', async () => {
      await freeRemovedBuilds(ctx)
      return clock.now() + PRUNE_BUILDS_MS
    })
  }

  start(): void {
    const { storage, clock, node } = this.ctx
    this.unsubscribe = [
      storage.subscribe((signal) => this.onSignal(signal)),
      whenServersMove(this.ctx, (instanceId) => {
        node.room.reopen()
        if (instanceId !== '') this.lookAtServer(instanceId, clock.now())
        this.line.wake(clock.now() + ROOM_SIGNAL_MS)
        this.warm.wake(clock.now() + SERVER_SIGNAL_MS)
      }),
    ]
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

  /** Finishes the running jobs within `withinMs`, and starts no new ones. */
  async stop(withinMs: number): Promise<void> {
    for (const unsubscribe of this.unsubscribe.splice(0)) unsubscribe()
    const runners = [...this.runners.values()]
    for (const runner of runners) runner.stop()
    const beats = [...this.standing, ...this.lanes.values(), this.builds]
    const atRest = Promise.all([...beats.map((beat) => beat.stop()), ...runners.map((runner) => runner.drain())])
    const isAtRest = await new Promise<boolean>((resolve) => {
      const cancel = this.ctx.timers.after(withinMs, () => resolve(false))
      atRest.then(
        () => {
          cancel()
          resolve(true)
        },
        () => resolve(false),
      )
    })
    // The claims of these jobs expire within seconds, and the next host of the machine continues the work.
    if (!isAtRest) for (const runner of runners) runner.letGo()
  }

  private get standing(): readonly Beat[] {
    return [this.jobs, this.servers, this.line, this.warm, this.presence, this.machines]
  }

  private get hands() {
    const runner = this.runners.get('launches')
    if (runner === undefined) throw new Error('there is a lane for launches')
    return launchHands(runner)
  }

  private onSignal({ topic, id }: Signal): void {
    const now = this.ctx.clock.now()
    if (topic === 'jobs') this.wakeLane(id, now)
    else if (topic === 'server') {
      this.lookAtServer(id, now + SERVER_SIGNAL_MS)
      this.line.wake(now + ROOM_SIGNAL_MS)
    } else if (topic === 'resync' || topic === 'reset') {
      this.serverLooks.missed()
      for (const beat of this.standing) beat.wake(now)
    }
  }

  private lookAtServer(instanceId: string, at: number): void {
    this.serverLooks.hear(instanceId)
    this.servers.wake(at)
  }

  private wakeLane(kind: string, at: number): void {
    const lane = laneOf(kind)
    for (const [name, beat] of this.lanes) if (lane === undefined || lane === name) beat.wake(at)
  }

  private async lookAtJobs(): Promise<number> {
    const now = this.ctx.clock.now()
    for (const { kind, isDue, nextAt } of await this.ctx.storage.jobs.agenda([...MACHINE_KINDS], now)) {
      const at = isDue ? now : nextAt
      if (at !== undefined && at <= now + POLL_MS) this.wakeLane(kind, at)
    }
    return now + POLL_MS
  }

  private onJobDone(name: LaneName, claimAt: number): void {
    this.lanes.get(name)?.wake(claimAt)
    if (name === 'launches' && this.handsWereFull) this.line.wake(this.ctx.clock.now())
  }

  private async giveRoom(): Promise<number> {
    const { hands } = this
    this.handsWereFull = false
    await advanceLine(this.ctx, hands)
    this.handsWereFull = !hands.isFree()
    return this.ctx.clock.now() + LINE_MS
  }

  private async lookAtMachines(): Promise<number> {
    const now = this.ctx.clock.now()
    await lookAtMachines(this.ctx)
    this.onLook()
    await noteDrained(this.ctx)
    const told = machinesTold(this.ctx)
    if (told !== this.machinesTold) {
      this.machinesTold = told
      this.line.wake(now)
      this.warm.wake(now)
    }
    return now + MACHINES_MS
  }
}
