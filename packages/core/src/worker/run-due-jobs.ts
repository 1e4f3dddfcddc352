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

/** Claims what is due and carries it out; answers how many jobs there were. */
export async function runDueJobs(ctx: Context): Promise<number> {
  const claimed = await ctx.storage.jobs.claim({ now: ctx.clock.now(), limit: JOBS_AT_ONCE, leaseMs: JOB_LEASE_MS })
  await Promise.all(claimed.map((job) => runJob(ctx, job)))
  return claimed.length
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
