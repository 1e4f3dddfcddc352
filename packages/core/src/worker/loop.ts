import { JOB_KINDS } from '../commit/jobs'
import type { Directors } from '../director/directors'
import type { Service } from '../node/service'
import type { ClaimedJob, Signal } from '../ports/storage/index'
import { lookAtMachines, machinesTold } from '../reads/machines'
import { noteDrained } from '../runtime/drain'
import { keepWarm } from '../runtime/keep-warm'
import { advanceLine, type LaunchHands } from '../runtime/line'
import type { NodeWatch } from '../runtime/node-watch'
import { whenServersMove } from '../runtime/reconcile'
import { freeRemovedBuilds } from '../runtime/remove-artifact'
import { withdrawMachine } from '../runtime/report-machine'
import { SECOND_MS } from '../shared/time'
import { Beat } from './beat'
import { LINE_MS, MACHINES_MS, POLL_MS, PRUNE_BUILDS_MS, ROOM_SIGNAL_MS, SERVER_SIGNAL_MS } from './cadence'
import { consumedHere } from './consumed-here'
import type { HostedLoops } from './hosted-loops'
import { inTime } from './in-time'
import { JobRunner } from './job-runner'
import { isMachineLane, LANE_NAMES, LANES, type LaneName, laneOf } from './lanes'
import { launchHands } from './launch-hands'
import { type NodeCounts, nextCountAt } from './node-counts'
import { ServerLooks } from './server-looks'

/** Maximum milliseconds for which a stop waits until its goodbye is recorded. */
const GOODBYE_WITHIN_MS = 5 * SECOND_MS
/** Maximum milliseconds for which a stop waits for running jobs. */
const STOP_WITHIN_MS = 10 * SECOND_MS

/** Repeats the background work of a node until the node is stopped. No other class waits for time to pass. */
export class WorkerLoop {
  private readonly queues = new Map<string, Beat>()
  private readonly runners = new Map<LaneName, JobRunner>()
  private readonly lanes = new Map<LaneName, Beat>()
  private readonly jobs: Beat
  private readonly servers: Beat
  private readonly serverLooks: ServerLooks
  private readonly line: Beat
  private readonly warm: Beat
  private readonly presence: Beat
  private readonly waiting: Beat
  private readonly nodes: Beat
  private readonly machines: Beat
  private readonly builds: Beat
  private readonly counts: Beat
  private unsubscribe: (() => void)[] = []
  /** Whether servers in the waiting line may be waiting for a job slot of this node, and not for capacity. */
  private handsWereFull = false
  private handedOver: Promise<void> | undefined
  /** State of the machines for which the queues, the waiting line and the warm servers were last woken. */
  private machinesTold = ''

  constructor(
    private readonly ctx: Service,
    private readonly directors: Directors,
    private readonly watch: NodeWatch,
    private readonly hosted: HostedLoops,
    counts: NodeCounts,
  ) {
    for (const name of LANE_NAMES) {
      const hostOf = isMachineLane(name) ? (job: ClaimedJob) => hosted.runnerFor(name, job) : undefined
      const runner = new JobRunner(ctx, name, (at) => this.onJobDone(name, at), LANES[name], hostOf)
      const beat = new Beat(ctx, `running jobs (${name})`, () => runner.look(ctx.clock.now()))
      this.runners.set(name, runner)
      this.lanes.set(name, beat)
    }
    this.jobs = new Beat(ctx, 'looking for jobs', () => this.lookAtJobs())
    this.serverLooks = new ServerLooks(ctx)
    this.servers = new Beat(ctx, 'reconciling servers', () => this.serverLooks.look(this.launchHands()))
    this.line = new Beat(ctx, 'giving capacity to waiting servers', () => this.giveRoom())
    this.warm = new Beat(ctx, 'keeping servers warm', () => keepWarm(ctx))
    this.presence = new Beat(ctx, 'noting open streams', () => this.notePresence())
    this.waiting = new Beat(ctx, 'looking for waiting tickets', () => this.lookForTickets())
    this.nodes = new Beat(ctx, 'watching the other nodes', async () => {
      await watch.look()
      return ctx.clock.now() + watch.everyMs
    })
    this.machines = new Beat(ctx, 'looking at the machines', () => this.lookAtMachines())
    this.builds = new Beat(ctx, 'removing files of deleted builds', async () => {
      await freeRemovedBuilds(ctx)
      return ctx.clock.now() + PRUNE_BUILDS_MS
    })
    this.counts = new Beat(ctx, 'adding counts to the history', () => counts.look())
  }

  start(): void {
    const { storage, clock } = this.ctx
    this.ctx.node.presence.whenDue((at) => this.presence.wake(at))
    this.directors.whenDue((queueKey) => this.queue(queueKey).wake(clock.now()))
    this.unsubscribe = [
      storage.subscribe((signal) => this.onSignal(signal)),
      whenServersMove(this.ctx, (instanceId) => {
        this.ctx.node.room.reopen()
        if (instanceId !== '') this.lookAtServer(instanceId, clock.now())
        this.line.wake(clock.now() + ROOM_SIGNAL_MS)
        // A warm server was taken by a match, or has ended.
        this.warm.wake(clock.now() + SERVER_SIGNAL_MS)
      }),
    ]
    this.hosted.whenDue((lane, at) => this.lanes.get(lane)?.wake(at))
    this.ctx.node.consumers.whenFree(() => this.lanes.get('consumers')?.wake(clock.now()))
    for (const beat of this.standing()) beat.wake(clock.now())
    // The orchestrator removed such files when it was opened, so the first run can wait.
    this.builds.wake(clock.now() + PRUNE_BUILDS_MS)
    this.counts.wake(nextCountAt(clock.now()))
  }

  /** Returns the number of running jobs on this node, by lane. */
  jobsInHand(): Readonly<Record<LaneName, number>> {
    return Object.fromEntries([...this.runners].map(([name, runner]) => [name, runner.jobsInHand])) as Record<
      LaneName,
      number
    >
  }

  /**
   * Finishes the running jobs within `STOP_WITHIN_MS` and starts no new jobs. Jobs and queues are left to other nodes. Until `stop`, this
   * node still records its own presence and the presence of the players on its streams, because calls may still arrive.
   */
  handOver(): Promise<void> {
    this.handedOver ??= this.letOthersGoOn()
    return this.handedOver
  }

  /** Leaves the work to other nodes, and ends the remaining background work. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.unsubscribe.splice(0)) unsubscribe()
    const lastBeats = Promise.all([this.presence.stop(), this.nodes.stop(), this.counts.stop()])
    await Promise.all([this.handOver(), inTime(this.ctx.timers, lastBeats, STOP_WITHIN_MS)])
    // Without the goodbye, the other nodes count this node as lost sooner. So a storage that does not answer delays no stop.
    await inTime(
      this.ctx.timers,
      this.watch.sayGoodbye().catch(() => {}),
      GOODBYE_WITHIN_MS,
    )
  }

  private async letOthersGoOn(): Promise<void> {
    const runners = [...this.runners.values()]
    for (const runner of runners) runner.stop()
    const handlersEnded = this.ctx.node.consumers.stop()
    const queues = [...this.queues.values()]
    const beats = [
      this.jobs,
      this.servers,
      this.line,
      this.warm,
      this.waiting,
      this.machines,
      ...this.lanes.values(),
      this.builds,
      this.hosted,
    ]
    // The queues are released without waiting for the jobs, so that a slow launch does not delay matches.
    const released = Promise.all(queues.map((beat) => beat.stop())).then(() => this.directors.release())
    const atRest = Promise.all([
      released,
      // Other nodes launch the servers of this machine's regions, or report that no machine serves them.
      withdrawMachine(this.ctx).catch(() => {}),
      ...beats.map((beat) => beat.stop()),
      ...runners.map((runner) => runner.drain()),
      handlersEnded,
    ])
    if (await inTime(this.ctx.timers, atRest, STOP_WITHIN_MS)) return
    // The claims of these jobs expire within seconds. The next holder of each claim sees that the lease expired, and continues the work.
    for (const runner of runners) runner.letGo()
    const { running } = this.ctx.node.consumers.calls
    const jobs = this.jobsInHand()
    this.ctx.logger.warn('jobs are still in hand at the stop; others go on with them', { jobs, handlers: running })
  }

  private standing(): Beat[] {
    return [this.jobs, this.servers, this.line, this.warm, this.presence, this.waiting, this.nodes, this.machines]
  }

  private onSignal({ topic, id }: Signal): void {
    const now = this.ctx.clock.now()
    this.tellPresence({ topic, id })
    if (this.handedOver !== undefined) return
    if (topic === 'tickets' || topic === 'queue') this.queue(id).wake(now)
    else if (topic === 'jobs') this.wakeLane(id, now)
    else if (topic === 'server') this.onServer(id, now)
    else if (topic === 'resync' || topic === 'reset') {
      this.serverLooks.missed()
      this.hosted.missed()
      for (const beat of this.standing()) beat.wake(now)
    }
  }

  private lookAtServer(instanceId: string, at: number): void {
    this.serverLooks.hear(instanceId)
    this.servers.wake(at)
  }

  private onServer(instanceId: string, now: number): void {
    this.lookAtServer(instanceId, now + SERVER_SIGNAL_MS)
    this.hosted.onServer(instanceId)
    this.line.wake(now + ROOM_SIGNAL_MS)
    // A server may have ended, so the number of the account's servers may be below the limit of its plan again.
    for (const queueKey of this.directors.held()) this.queue(queueKey).wake(now + SERVER_SIGNAL_MS)
  }

  /** Reports changed queues to the presence tracker, which uses their timeouts. */
  private tellPresence({ topic, id }: Signal): void {
    if (topic === 'queue') this.ctx.node.presence.queueChanged(id)
    else if (topic === 'resync' || topic === 'reset') this.ctx.node.presence.queueChanged()
  }

  private queue(queueKey: string): Beat {
    const known = this.queues.get(queueKey)
    if (known !== undefined) return known
    const beat = new Beat(this.ctx, `matchmaking in ${queueKey}`, async () => {
      const { dueAt } = await this.directors.run(queueKey)
      return dueAt ?? Number.POSITIVE_INFINITY
    })
    // A queue that was found before the handover must not be started here after it.
    if (this.handedOver !== undefined) void beat.stop()
    else this.queues.set(queueKey, beat)
    return beat
  }

  /** Wakes the lane of a kind of job. A node of another release may signal an unknown kind; then all lanes are woken. */
  private wakeLane(kind: string, at: number): void {
    const lane = laneOf(kind)
    for (const [name, beat] of this.lanes) if (lane === undefined || lane === name) beat.wake(at)
  }

  /** Finds jobs that no signal announces: jobs that become due later, and jobs of a node that died. One read serves all lanes. */
  private async lookAtJobs(): Promise<number> {
    const now = this.ctx.clock.now()
    const kinds = [...JOB_KINDS, ...consumedHere(this.ctx)]
    for (const { kind, isDue, nextAt } of await this.ctx.storage.jobs.agenda(kinds, now)) {
      const at = isDue ? now : nextAt
      if (at !== undefined && at <= now + POLL_MS) this.wakeLane(kind, at)
    }
    return now + POLL_MS
  }

  /** Claims again after a job has ended. When a job slot for launches becomes free, the next server of the waiting line can be launched. */
  private onJobDone(name: LaneName, claimAt: number): void {
    this.lanes.get(name)?.wake(claimAt)
    if (name === 'launches' && this.handsWereFull) this.line.wake(this.ctx.clock.now())
  }

  private async giveRoom(): Promise<number> {
    const hands = this.launchHands()
    this.handsWereFull = false
    await advanceLine(this.ctx, hands)
    await this.hosted.lookAtLine()
    this.handsWereFull = !hands.isFree()
    return this.ctx.clock.now() + LINE_MS
  }

  private launchHands(): LaunchHands {
    const runner = this.runners.get('launches')
    if (runner === undefined) throw new Error('there is a lane for launches')
    return launchHands(runner)
  }

  /** Reads which machines take servers, and which regions are served. A change wakes the queues, whose pools then use the new regions. */
  private async lookAtMachines(): Promise<number> {
    const now = this.ctx.clock.now()
    await lookAtMachines(this.ctx)
    await noteDrained(this.ctx)
    // Calls and launches on this node read machines too, and a pause ends without a write. So this compares with the last wake.
    const told = machinesTold(this.ctx)
    this.hosted.machinesRead({ isChanged: told !== this.machinesTold })
    if (told !== this.machinesTold) {
      this.machinesTold = told
      for (const beat of this.queues.values()) beat.wake(now)
      this.line.wake(now)
      this.warm.wake(now)
    }
    return now + MACHINES_MS
  }

  private async notePresence(): Promise<number> {
    const now = this.ctx.clock.now()
    await this.ctx.node.presence.sweep(now)
    return Math.min(this.ctx.node.presence.nextSweepAt() ?? Number.POSITIVE_INFINITY, now + POLL_MS)
  }

  /** Checks the queues with waiting tickets, in case signals were lost or another node lost its lease. */
  private async lookForTickets(): Promise<number> {
    const now = this.ctx.clock.now()
    const waiting = new Set((await this.ctx.storage.tickets.waiting()).map(({ queueKey }) => queueKey))
    for (const queueKey of waiting) this.queue(queueKey).wake(now)
    const busy = (queueKey: string) => waiting.has(queueKey) || this.queues.get(queueKey)?.isAtRest === false
    for (const queueKey of this.directors.forgetResting(busy)) this.queues.delete(queueKey)
    return now + POLL_MS
  }
}
