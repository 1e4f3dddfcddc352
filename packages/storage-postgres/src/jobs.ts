import type { ClaimedJob, Instant } from '@matchyard/core'
import { fromColumn, toColumn } from './column-text'
import type { Database } from './database'
import { jobStatements } from './statements/jobs'

export async function claimJobs(
  database: Database,
  { now, limit, leaseMs }: { now: Instant; limit: number; leaseMs: number },
): Promise<ClaimedJob[]> {
  const { rows } = await database.write(jobStatements.claim, [now, limit, now + leaseMs])
  return rows
    .sort((a, b) => a.run_at - b.run_at || (a.id < b.id ? -1 : 1))
    .map(({ sequence, id, kind, run_at, attempts, payload }) => ({
      id: fromColumn(id),
      kind: fromColumn(kind),
      runAt: run_at,
      payload: JSON.parse(payload),
      attempts,
      token: `${sequence}.${attempts}`,
    }))
}

const claimOf = ({ id, token }: ClaimedJob) => [toColumn(id), ...token.split('.').map(Number)]

export const completeJob = async (database: Database, job: ClaimedJob): Promise<boolean> =>
  (await database.write(jobStatements.complete, claimOf(job))).count === 1

export const retryJob = async (database: Database, job: ClaimedJob, runAt: Instant): Promise<boolean> =>
  (await database.write(jobStatements.retry, [...claimOf(job), runAt])).count === 1
