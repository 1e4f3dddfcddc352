import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

/** Columns by which a claim chooses jobs. A claim reads payloads only of the jobs that it takes. */
export interface ClaimableRow {
  readonly sequence: number
  readonly id: string
  readonly kind: string
  readonly tenant: string
  readonly runAt: number
}
export interface HeldRow {
  readonly id: string
  readonly kind: string
  readonly tenant: string
  readonly run_at: number
  readonly attempts: number
  readonly payload: string
}

const CLAIMABLE = 'select sequence, id, kind, tenant, run_at as runAt from job'
const FREE = 'lease_until is null and run_at <= @now'

export const jobStatements = (db: Database) => ({
  oldest: prepare<[{ kind: string; now: number; limit: number }], ClaimableRow>(
    db,
    `${CLAIMABLE} where kind = @kind and ${FREE} order by run_at, id limit @limit`,
  ),
  // Jobs with an expired lease. These are few rows, because the workers claim at most as many jobs as they have slots.
  lapsed: prepare<[{ now: number }], ClaimableRow>(db, `${CLAIMABLE} where lease_until <= @now and run_at <= @now`),
  nextTenant: prepare<[string, string], string | null>(
    db,
    'select min(tenant) from job where kind = ? and lease_until is null and tenant >= ?',
  ).pluck(),
  tenantAfter: prepare<[string, string], string | null>(
    db,
    'select min(tenant) from job where kind = ? and lease_until is null and tenant > ?',
  ).pluck(),
  oldestOfTenant: prepare<[{ kind: string; tenant: string; now: number; limit: number }], ClaimableRow>(
    db,
    `${CLAIMABLE} where kind = @kind and tenant = @tenant and ${FREE} order by run_at, id limit @limit`,
  ),
  /** The job with this id, due or not, if no worker holds a valid lease on it. */
  free: prepare<[{ id: string; now: number }], { sequence: number; lapsed: number }>(
    db,
    `
    select sequence, lease_until is not null as lapsed from job
    where id = @id and (lease_until is null or lease_until <= @now)`,
  ),
  hold: prepare<[until: number, holder: string, sequence: number], HeldRow>(
    db,
    `
    update job set attempts = attempts + 1, lease_until = ?, holder = ? where sequence = ?
    returning id, kind, tenant, run_at, attempts, payload`,
  ),
  renew: prepare<[until: number, sequence: number, attempts: number]>(
    db,
    'update job set lease_until = ? where sequence = ? and attempts = ? and lease_until is not null',
  ),
  complete: prepare<[number, number]>(
    db,
    'delete from job where sequence = ? and attempts = ? and lease_until is not null',
  ),
  retry: prepare<[number, number, number]>(
    db,
    `
    update job set run_at = ?, lease_until = null, holder = null
    where sequence = ? and attempts = ? and lease_until is not null`,
  ),
  releaseHeld: prepare<[string]>(
    db,
    `
    update job set lease_until = null, holder = null
    where sequence in (select sequence from job indexed by job_held where lease_until is not null and holder = ?)`,
  ),
  nextRunAt: prepare<[kind: string, after: number], number | null>(
    db,
    'select min(run_at) from job where kind = ? and lease_until is null and run_at > ?',
  ).pluck(),
  kindAfter: prepare<[string], string | null>(
    db,
    'select min(kind) from job where lease_until is null and kind > ?',
  ).pluck(),
  /** Number of due jobs of a kind, counted only up to `limit`. */
  due: prepare<[{ kind: string; now: number; limit: number }], { count: number; oldestAt: number | null }>(
    db,
    `
    select count(*) as count, min(run_at) as oldestAt
    from (select run_at from job where kind = @kind and ${FREE} order by run_at limit @limit)`,
  ),
})

export type JobStatements = ReturnType<typeof jobStatements>
