import type { ClaimedJob, Instant } from '@matchyard/core'
import type { Statements } from './statements/index'

/** Runs inside a group's transaction, like every write. */
export function claimJobs(
  { jobs }: Statements,
  { now, limit, leaseMs }: { now: Instant; limit: number; leaseMs: number },
): ClaimedJob[] {
  const until = now + leaseMs
  return jobs.claimable.all({ now, limit, until }).map((row) => {
    jobs.hold.run(until, row.sequence)
    const attempts = row.attempts + 1
    return {
      id: row.id,
      kind: row.kind,
      runAt: row.run_at,
      payload: JSON.parse(row.payload),
      attempts,
      token: `${row.sequence}.${attempts}`,
    }
  })
}

const claimOf = ({ token }: ClaimedJob) => {
  const [sequence, attempts] = token.split('.').map(Number)
  return [sequence ?? 0, attempts ?? 0] as const
}

export const completeJob = ({ jobs }: Statements, job: ClaimedJob): boolean =>
  jobs.complete.run(...claimOf(job)).changes === 1

export const retryJob = ({ jobs }: Statements, job: ClaimedJob, runAt: Instant): boolean =>
  jobs.retry.run(runAt, ...claimOf(job)).changes === 1
