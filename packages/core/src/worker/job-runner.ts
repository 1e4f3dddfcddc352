import { JOB_LEASE_MS } from '../node/job-lease'
import type { Service } from '../node/service'
import type { ClaimedJob } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'
import { consumedHere, withOverdue } from './consumed-here'
import { handlerOf } from './handlers'
import { LANES, type LaneName, LEFT_TO_OTHERS_MS, RENEW_EVERY_MS } from './lanes'
import { type Bounds, shareOf } from './shares'

/** Milliseconds of the first and the longest backoff after a handler throws. The backoff doubles after each failure. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30 * SECOND_MS

/** Milliseconds until the next claim of a job whose machine has no free job slot. */
const HOST_FULL_MS = SECOND_MS

/** Maximum number of consecutive claims. Each claim fills a part of the free job slots. */
const MAX_ROUNDS = 8
const NOTHING = { count: 0, more: false }

/** Returns a thrown value as a text, also one that cannot be converted: handlers of consumers may throw anything. */
function textOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'a value without a text was thrown'
  }
}

/** A running job, with the claim under which it runs. It occupies one job slot of its lane (a group of job kinds). */
interface Hand {
  claim: ClaimedJob
  /**
   * Whether the job runs once more, because it may have been scheduled again while it had no valid claim. Handlers read the present state,
   * so a second run costs little.
   */
  runsAgain: boolean
  /** Whether another node has claimed the job meanwhile; this is logged once. */
  isLost: boolean
  work: Promise<void>
}

/**
 * Runs the jobs of one lane (a group of job kinds), up to the lane's bounds, and renews their claims while they run. A claim can still be
 * lost, when this process stalls for longer than the lease of the claim. This does no harm, because handlers read the state again, and
 * every write expects a version. If a process was spawned for an attempt that was given up, it is stopped as a stray.
 */
export class JobRunner {
  private readonly inHand = new Set<Hand>()
  private cancelRenewal: (() => void) | undefined
  private renewing: Promise<void> | undefined
  private heldBack = false
  private stopped = false
  /** Whether this runner still renews the claims of its jobs. */
  private held = true

  constructor(
    private readonly ctx: Service,
    readonly lane: LaneName,
    /** Called when a job has ended. `claimAt` is the time of the next claim. */
    private readonly onDone: (claimAt: number) => void = () => {},
    private readonly bounds: Bounds = LANES[lane],
    /** Returns the runner of the hosted machine that runs a claimed job; undefined when this runner runs the job. */
    private readonly hostOf: (job: ClaimedJob) => Promise<JobRunner | undefined> = async () => undefined,
  ) {}

  /** Whether the lane already runs as many jobs as it may. */
  get isFull(): boolean {
    return this.inHand.size >= this.bounds.hands
  }

  get jobsInHand(): number {
    return this.inHand.size
  }

  /**
   * Milliseconds for which this node leaves due jobs to other nodes. A node without free capacity leaves launches to nodes with capacity.
   */
  get patienceMs(): number {
    return this.lane === 'launches' && this.ctx.node.room.isFull ? LEFT_TO_OTHERS_MS : 0
  }

  /**
   * Looks for due jobs without writing to the storage, and then claims due jobs. Returns the time at which the next job is due. Due jobs
   * that were skipped, because no job slot is free or a tenant has its share, wait until a running job ends.
   */
  async look(at: number): Promise<number> {
    const { patienceMs } = this
    if (this.isFull) return Number.POSITIVE_INFINITY
    const kinds = this.kinds()
    if (kinds.length === 0) return Number.POSITIVE_INFINITY
    const agenda = await this.ctx.storage.jobs.agenda(kinds, at - patienceMs)
    const due = agenda.flatMap(({ kind, isDue }) => (isDue ? kind : []))
    if (due.length > 0) await this.claim(at, due, patienceMs)
    return Math.min(...agenda.map(({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY)) + patienceMs
  }

  /**
   * Claims due jobs of these kinds, up to the number of free job slots, and starts the claimed jobs. With `patienceMs`, claims only jobs
   * that have been due for that many milliseconds. Returns the number of claimed jobs.
   */
  async claim(at: number, kinds: readonly string[] = this.kinds(), patienceMs = 0): Promise<number> {
    let claimed = 0
    if (kinds.length === 0) return claimed
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { count, more } = await this.claimOnce(at, kinds, patienceMs)
      claimed += count
      if (!more) break
    }
    return claimed
  }

  /** Claims once. Returns the number of claimed jobs, and whether another claim may find more jobs at once. */
  private async claimOnce(
    at: number,
    kinds: readonly string[],
    patienceMs: number,
  ): Promise<{ count: number; more: boolean }> {
    const { storage, settings, node } = this.ctx
    const silent = this.lane === 'webhooks' ? node.silentEndpoints.all : undefined
    const { limit, perTenant, inHand: counted, asked } = shareOf(this.bounds, this.byTenant(), silent)
    if (limit <= 0 || this.stopped) return NOTHING
    node.silentEndpoints.passed(asked)
    const inHand = this.lane === 'consumers' ? withOverdue(counted, this.ctx) : new Map(counted)
    const holder = settings.nodeId
    const now = at - patienceMs
    const leaseMs = patienceMs + JOB_LEASE_MS
    const jobs = await storage.jobs.claim({ kinds, now, limit, leaseMs, holder, perTenant, inHand })
    if (this.stopped) {
      await Promise.all(jobs.map((job) => this.giveBack(job, job.runAt)))
      return NOTHING
    }
    for (const job of jobs) {
      inHand.set(job.tenant, (inHand.get(job.tenant) ?? 0) + 1)
      this.take(job)
    }
    // A bound was reached, so more jobs may be due. When a running job ends, the runner claims again.
    this.heldBack = jobs.length === limit || [...inHand.values()].some((count) => count >= perTenant)
    return { count: jobs.length, more: jobs.length === limit && !this.isFull }
  }

  /** Claims one job, even if it is not due, unless another worker holds a claim on it. Returns whether the job runs on this node. */
  async takeInHand(id: string): Promise<boolean> {
    if (this.stopped) return false
    const { storage, settings, clock } = this.ctx
    const now = clock.now()
    const job = await storage.jobs.take(id, { now, leaseMs: JOB_LEASE_MS, holder: settings.nodeId })
    if (job === undefined) return false
    if (this.stopped) await this.giveBack(job, job.runAt)
    else this.take(job)
    return !this.stopped
  }

  /** Takes over a job that another runner of this node claimed. Returns false when no job slot is free for it. */
  adopt(job: ClaimedJob): boolean {
    const isHere = [...this.inHand].some(({ claim }) => claim.id === job.id)
    const isFree = !this.isFull && (this.byTenant().get(job.tenant) ?? 0) < this.bounds.perTenant
    if (this.stopped || !(isHere || isFree)) return false
    this.take(job)
    return true
  }

  /** Starts no more jobs. Jobs from a claim that is in progress are given back as soon as they are claimed. */
  stop(): void {
    this.stopped = true
  }

  /** Stops renewing claims, even of running jobs. */
  letGo(): void {
    this.cancelRenewal?.()
    this.held = false
  }

  /** Resolves when no job is running. */
  async drain(): Promise<void> {
    while (this.inHand.size > 0) await Promise.all([...this.inHand].map(({ work }) => work))
  }

  private take(job: ClaimedJob): void {
    const hand = [...this.inHand].find(({ claim }) => claim.id === job.id)
    if (hand === undefined || !job.lapsed) this.start(job)
    else {
      // The lease expired because a call of the storage took longer than the lease. The running work continues under the new claim.
      hand.claim = job
      hand.isLost = false
      hand.runsAgain = true
    }
  }

  private start(claim: ClaimedJob): void {
    if (this.inHand.size === 0) this.renewLater()
    const hand: Hand = { claim, runsAgain: false, isLost: false, work: Promise.resolve() }
    this.inHand.add(hand)
    hand.work = this.run(hand).then((again) => {
      this.inHand.delete(hand)
      if (this.inHand.size === 0) this.cancelRenewal?.()
      this.onDone(this.heldBack ? this.ctx.clock.now() : again)
    })
  }

  /** Runs the job. Returns the time of its next run; infinity when the job is finished. */
  private async run(hand: Hand): Promise<number> {
    const { storage, logger, clock } = this.ctx
    const { claim: job } = hand
    try {
      const host = await this.hostOf(job)
      if (host !== undefined) return await this.handTo(host, hand)
      // The claim asked only for kinds of this lane.
      const done = await handlerOf(job.kind)(this.ctx, job)
      const again = done ?? (hand.runsAgain ? clock.now() : undefined)
      if (again === undefined) await storage.jobs.complete(hand.claim)
      else await storage.jobs.retry(hand.claim, again)
      return again ?? Number.POSITIVE_INFINITY
    } catch (error) {
      const again = clock.now() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(job.attempts - 1, 10))
      logger.warn('a job failed; retrying', { job: job.id, attempts: job.attempts, error: textOf(error) })
      await this.giveBack(hand.claim, again)
      return again
    }
  }

  /** Leaves a job to the runner of a hosted machine. Returns the time of the next claim when that runner is full. */
  private async handTo(host: JobRunner, hand: Hand): Promise<number> {
    if (host.adopt(hand.claim)) return Number.POSITIVE_INFINITY
    const again = this.ctx.clock.now() + HOST_FULL_MS
    await this.giveBack(hand.claim, again)
    return again
  }

  private async giveBack(job: ClaimedJob, runAt: number): Promise<void> {
    try {
      await this.ctx.storage.jobs.retry(job, runAt)
    } catch (failure) {
      // The failure could not be recorded. The lease expires, and the next holder of a claim runs the job again.
      this.ctx.logger.warn('a failed job could not be given back', { job: job.id, error: String(failure) })
    }
  }

  private renewLater(): void {
    this.cancelRenewal?.()
    this.cancelRenewal = this.ctx.timers.after(RENEW_EVERY_MS, () => {
      if (this.inHand.size === 0 || !this.held) return
      this.renewLater()
      if (this.renewing === undefined)
        this.renewing = this.renew().finally(() => {
          this.renewing = undefined
        })
    })
  }

  private async renew(): Promise<void> {
    const { storage, clock, logger } = this.ctx
    const hands = [...this.inHand].filter(({ isLost }) => !isLost)
    if (hands.length === 0) return
    const jobs = hands.map(({ claim }) => claim)
    try {
      const kept = new Set((await storage.jobs.renew(jobs, clock.now() + JOB_LEASE_MS)).map(({ token }) => token))
      // A job that ended meanwhile is not lost, and a job that was scheduled again has a new claim.
      const lost = hands.filter((hand) => !kept.has(hand.claim.token) && this.inHand.has(hand))
      for (const hand of lost) {
        hand.isLost = true
        logger.info('a job was put again, or claimed elsewhere, while it was in hand', { job: hand.claim.id })
      }
    } catch (error) {
      logger.warn('claims could not be renewed', { lane: this.lane, jobs: jobs.length, error: String(error) })
    }
  }

  /** Returns the kinds of jobs that this node can run in the lane. */
  private kinds(): readonly string[] {
    return this.lane === 'consumers' ? consumedHere(this.ctx) : LANES[this.lane].kinds
  }

  private byTenant(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { claim } of this.inHand) counts.set(claim.tenant, (counts.get(claim.tenant) ?? 0) + 1)
    return counts
  }
}
