import { statement } from './statement'

/** Columns by which a claim chooses jobs. A claim reads payloads only of the jobs that it takes. */
export interface ClaimableRow {
  readonly id: string
  readonly kind: string
  readonly tenant: string
  readonly run_at: number
  readonly lapsed: number
}
export interface HeldRow {
  readonly sequence: number
  readonly id: string
  readonly kind: string
  readonly tenant: string
  readonly run_at: number
  readonly attempts: number
  readonly payload: string
}

const DUE = '(lease_until is null or lease_until <= $2) and run_at <= $2'

export const jobStatements = {
  /**
   * Returns the oldest due jobs of each kind without a lease, and all due jobs of these kinds whose lease has expired,
   * which are few.
   */
  oldest: statement<ClaimableRow>(
    'oldest_jobs',
    `select found.* from unnest($1::text[]) as wanted(kind) cross join lateral (
       select id, kind, tenant, run_at, 0 as lapsed from job
       where job.kind = wanted.kind and lease_until is null and run_at <= $2 order by run_at, id limit $3
     ) as found
     union all
     select id, kind, tenant, run_at, 1 as lapsed from job
     where lease_until <= $2 and run_at <= $2 and kind = any($1::text[])`,
  ),
  /**
   * The oldest due jobs of each tenant of a kind. The index is read from one tenant to the next, so the number of a
   * tenant's waiting jobs does not matter. A tenant without a due job has one row too.
   */
  ofEachTenant: statement<{ tenant: string; id: string | null; run_at: number | null }>(
    'jobs_of_each_tenant',
    `with recursive walk(tenant, step) as (
       (select tenant, 1 from job where kind = $1 and lease_until is null and tenant >= $3 order by tenant limit 1)
       union all
       select (
         select tenant from job where kind = $1 and lease_until is null and tenant > walk.tenant order by tenant limit 1
       ), step + 1
       from walk where walk.tenant is not null and step < $4
     )
     select walk.tenant, found.id, found.run_at from walk left join lateral (
       select id, run_at from job
       where kind = $1 and tenant = walk.tenant and lease_until is null and run_at <= $2 order by run_at, id limit $5
     ) as found on true
     where walk.tenant is not null`,
  ),
  // Locks the chosen jobs. Skips rows that another claimer has locked. Before a job is claimed, the statement checks
  // again that the job is due.
  hold: statement<HeldRow>(
    'hold_jobs',
    `with chosen as (
       select id from job where id = any($1::text[]) and ${DUE} order by id for update skip locked
     )
     update job set attempts = attempts + 1, lease_until = $3, holder = $4
     from chosen where job.id = chosen.id and ${DUE}
     returning job.sequence, job.id, job.kind, job.tenant, job.run_at, job.attempts, job.payload`,
  ),
  /** Claims one job on which no worker has a valid lease, even if the job is not due. */
  take: statement<HeldRow & { lapsed: number }>(
    'take_job',
    `with chosen as (
       select id, (lease_until is not null)::int as lapsed from job
       where id = $1 and (lease_until is null or lease_until <= $2) for update skip locked
     )
     update job set attempts = attempts + 1, lease_until = $3, holder = $4
     from chosen where job.id = chosen.id and (lease_until is null or lease_until <= $2)
     returning job.sequence, job.id, job.kind, job.tenant, job.run_at, job.attempts, job.payload, chosen.lapsed`,
  ),
  renew: statement<{ sequence: number; attempts: number }>(
    'renew_jobs',
    `with mine as (
       select job.id from job join unnest($1::text[], $2::bigint[], $3::bigint[]) as v(id, sequence, attempts)
         on job.id = v.id and job.sequence = v.sequence and job.attempts = v.attempts
       where lease_until is not null order by job.id for update of job
     )
     update job set lease_until = $4 from mine where job.id = mine.id returning job.sequence, job.attempts`,
  ),
  complete: statement(
    'complete_job',
    'delete from job where id = $1 and sequence = $2 and attempts = $3 and lease_until is not null',
  ),
  retry: statement(
    'retry_job',
    `update job set run_at = $4, lease_until = null, holder = null
     where id = $1 and sequence = $2 and attempts = $3 and lease_until is not null`,
  ),
  releaseHeld: statement(
    'release_held_jobs',
    `with theirs as (
       select id from job where lease_until is not null and holder = $1 order by id for update
     )
     update job set lease_until = null, holder = null from theirs where job.id = theirs.id and holder = $1`,
  ),
  /**
   * Whether a job of each kind is due, and the time at which the next job is due. The second search of a kind runs only
   * when the first job of that kind is due.
   */
  agenda: statement<{ kind: string; is_due: number; next_at: number | null }>(
    'job_agenda',
    `with lapsed as (select distinct kind from job where lease_until <= $2 and run_at <= $2)
     select * from (
       select wanted.kind,
         (coalesce(first.run_at <= $2, false) or wanted.kind in (select kind from lapsed))::int as is_due,
         case when first.run_at <= $2 then (
           select run_at from job
           where job.kind = wanted.kind and lease_until is null and run_at > $2 order by run_at limit 1
         ) else first.run_at end as next_at
       from unnest($1::text[]) as wanted(kind) left join lateral (
         select run_at from job where job.kind = wanted.kind and lease_until is null order by run_at limit 1
       ) as first on true
     ) as found where is_due = 1 or next_at is not null`,
  ),
  /** Number of due jobs of each kind, counted only up to the limit. The index is read from one kind to the next. */
  due: statement<{ kind: string; count: number; oldest_at: number }>(
    'jobs_due',
    `with recursive kinds(kind) as (
       (select kind from job where lease_until is null order by kind limit 1)
       union all
       select (select kind from job where lease_until is null and kind > kinds.kind order by kind limit 1)
       from kinds where kinds.kind is not null
     ), found as (
       select free.* from kinds cross join lateral (
         select kind, run_at from job
         where job.kind = kinds.kind and lease_until is null and run_at <= $1 order by run_at limit $2
       ) as free
       union all
       select kind, run_at from job where lease_until <= $1 and run_at <= $1
     )
     select kind, least(count(*), $2) as count, min(run_at) as oldest_at from found group by kind order by kind`,
  ),
}
