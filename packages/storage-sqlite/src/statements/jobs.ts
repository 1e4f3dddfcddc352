import type { Database } from 'better-sqlite3'
import { prepare } from '../prepare'

export interface JobRow {
  readonly sequence: number
  readonly id: string
  readonly kind: string
  readonly run_at: number
  readonly attempts: number
  readonly payload: string
}
interface Claim {
  readonly now: number
  readonly limit: number
  readonly until: number
}

// Free jobs come from an index in their order; held ones whose lease has run out are few.
const CLAIMABLE = (limit: string) => `
  select * from (select * from job where lease_until is null and run_at <= @now order by run_at, id ${limit})
  union all
  select * from job where lease_until <= @now and run_at <= @now`

export const jobStatements = (db: Database) => ({
  claimable: prepare<[Claim], JobRow>(
    db,
    `
    select sequence, id, kind, run_at, attempts, payload from (${CLAIMABLE('limit @limit')})
    order by run_at, id limit @limit`,
  ),
  hold: prepare<[number, number]>(db, 'update job set attempts = attempts + 1, lease_until = ? where sequence = ?'),
  complete: prepare<[number, number]>(
    db,
    'delete from job where sequence = ? and attempts = ? and lease_until is not null',
  ),
  retry: prepare<[number, number, number]>(
    db,
    `
    update job set run_at = ?, lease_until = null where sequence = ? and attempts = ? and lease_until is not null`,
  ),
  nextRunAt: prepare<[], number | null>(db, 'select min(run_at) from job where lease_until is null').pluck(),
  due: prepare<[{ now: number }], { n: number; oldest: number | null }>(
    db,
    `select count(*) as n, min(run_at) as oldest from (${CLAIMABLE('')})`,
  ),
})

export type JobStatements = ReturnType<typeof jobStatements>
