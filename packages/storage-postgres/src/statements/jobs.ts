import { statement } from './statement'

export interface JobRow {
  readonly sequence: number
  readonly id: string
  readonly kind: string
  readonly run_at: number
  readonly attempts: number
  readonly payload: string
}

const DUE = '(lease_until is null or lease_until <= $1) and run_at <= $1'

export const jobStatements = {
  // Free jobs come from an index in their order; held ones whose lease has run out are few. What another claimer has locked is
  // skipped, and a row that changed since it was found is looked at again before it is taken.
  claim: statement<JobRow>(
    'claim_jobs',
    `with free as (
       select id, run_at from job where lease_until is null and run_at <= $1
       order by run_at, id limit $2 for update skip locked
     ), held as (
       select id, run_at from job where lease_until <= $1 and run_at <= $1
       order by run_at, id limit $2 for update skip locked
     ), claimable as (
       select id from (select * from free union all select * from held) as found order by run_at, id limit $2
     )
     update job set attempts = attempts + 1, lease_until = $3
     from claimable where job.id = claimable.id and ${DUE}
     returning job.sequence, job.id, job.kind, job.run_at, job.attempts, job.payload`,
  ),
  complete: statement(
    'complete_job',
    'delete from job where id = $1 and sequence = $2 and attempts = $3 and lease_until is not null',
  ),
  retry: statement(
    'retry_job',
    `update job set run_at = $4, lease_until = null
     where id = $1 and sequence = $2 and attempts = $3 and lease_until is not null`,
  ),
  nextRunAt: statement<{ at: number | null }>(
    'next_run_at',
    'select min(run_at) as at from job where lease_until is null',
  ),
  due: statement<{ n: number; oldest: number | null }>(
    'jobs_due',
    `select count(*) as n, min(run_at) as oldest from job where ${DUE}`,
  ),
}
