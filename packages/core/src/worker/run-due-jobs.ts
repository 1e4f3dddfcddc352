import type { ClaimedJob } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'
import type { Context } from '../use-cases/context'
import { JOB_KINDS, type JobKind } from '../use-cases/jobs'
import { HANDLERS } from './handlers/index'

/** A claimed job belongs to its worker this long; a worker that died loses it then. */
export const JOB_LEASE_MS = 60 * SECOND_MS
/** Jobs in hand at once. */
export const JOBS_AT_ONCE = 64
/** Back-off after a handler threw: doubles from the first to the last. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30 * SECOND_MS

const isKind = (kind: string): kind is JobKind => (JOB_KINDS as readonly string[]).includes(kind)

/** Claims what is due, carries it out and waits for it; answers how many jobs there were. */
export async function runDueJobs(ctx: Context): Promise<number> {
  const runner = new JobRunner(ctx)
  const claimed = await runner.claim()
  await runner.drain()
  return claimed
}

/** Keeps jobs in hand up to a bound: a slow one (a large upload, a launch) holds up nobody's timer. */
export class JobRunner {
  private readonly inHand = new Set<Promise<void>>()

  constructor(
    private readonly ctx: Context,
    private readonly onDone: () => void = () => {},
  ) {}

  get isFull(): boolean {
    return this.inHand.size >= JOBS_AT_ONCE
  }

  /** Claims what is due and there is room for, and starts it; answers how many jobs there were. */
  async claim(): Promise<number> {
    const limit = JOBS_AT_ONCE - this.inHand.size
    if (limit <= 0) return 0
    const claimed = await this.ctx.storage.jobs.claim({ now: this.ctx.clock.now(), limit, leaseMs: JOB_LEASE_MS })
    for (const job of claimed) {
      const work = runJob(this.ctx, job).finally(() => {
        this.inHand.delete(work)
        this.onDone()
      })
      this.inHand.add(work)
    }
    return claimed.length
  }

  /** Resolves once nothing is in hand. */
  async drain(): Promise<void> {
    while (this.inHand.size > 0) await Promise.all(this.inHand)
  }
}

async function runJob(ctx: Context, job: ClaimedJob): Promise<void> {
  try {
    const again = isKind(job.kind) ? await HANDLERS[job.kind](ctx, job) : unknownKind(ctx, job)
    if (again === undefined) await ctx.storage.jobs.complete(job)
    else await ctx.storage.jobs.retry(job, again)
  } catch (error) {
    await giveBack(ctx, job, error)
  }
}

function unknownKind(ctx: Context, job: ClaimedJob): undefined {
  // A newer node of the same installation made it; a newer node will know it again.
  ctx.logger.error('a job of an unknown kind is dropped', { job: job.id, kind: job.kind })
  return undefined
}

async function giveBack(ctx: Context, job: ClaimedJob, error: unknown): Promise<void> {
  const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(job.attempts - 1, 10))
  ctx.logger.warn('a job failed and is tried again', { job: job.id, attempts: job.attempts, error: String(error) })
  try {
    await ctx.storage.jobs.retry(job, ctx.clock.now() + delay)
  } catch (failure) {
    // Its lease runs out, and whoever claims it then goes on.
    ctx.logger.warn('a failed job could not be given back', { job: job.id, error: String(failure) })
  }
}
