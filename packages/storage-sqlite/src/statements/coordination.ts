import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

interface Lease {
  readonly name: string
  readonly holder: string
  readonly now: number
  readonly until: number
}

/** Statements of leases and presence. */
export const coordinationStatements = (db: Database) => ({
  acquireLease: prepare<[Lease]>(
    db,
    `
    insert into lease (name, holder, until) values (@name, @holder, @until)
    on conflict do update set holder = excluded.holder, until = excluded.until
    where lease.holder = @holder or lease.until <= @now`,
  ),
  releaseLease: prepare<[string, string]>(db, 'delete from lease where name = ? and holder = ?'),
  touch: prepare<[string, string, number]>(
    db,
    `
    insert into presence (scope, member, at) values (?, ?, ?)
    on conflict do update set at = excluded.at where excluded.at > presence.at`,
  ),
  forgetMember: prepare<[string, string, number]>(
    db,
    'delete from presence where scope = ? and member = ? and at <= ?',
  ),
  presence: prepare<[string], { member: string; at: number }>(
    db,
    'select member, at from presence where scope = ? order by member',
  ),
})

export type CoordinationStatements = ReturnType<typeof coordinationStatements>
