import { statement } from './statement'

/** Statements of leases and presence. */
export const coordinationStatements = {
  /** Parameters: name, holder, present time, end of the lease. */
  acquireLease: statement(
    'acquire_lease',
    `insert into lease (name, holder, until) values ($1, $2, $4)
     on conflict (name) do update set holder = excluded.holder, until = excluded.until
     where lease.holder = $2 or lease.until <= $3`,
  ),
  releaseLease: statement('release_lease', 'delete from lease where name = $1 and holder = $2'),
  touch: statement(
    'touch_presence',
    `insert into presence (scope, member, at) select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (scope, member) do update set at = excluded.at where excluded.at > presence.at`,
  ),
  /** Parameters: scope, members, the instant of each member. */
  forgetMembers: statement(
    'forget_presence_of_members',
    `delete from presence using unnest($2::text[], $3::bigint[]) as gone (member, at)
     where presence.scope = $1 and presence.member = gone.member and presence.at <= gone.at`,
  ),
  presence: statement<{ member: string; at: number }>(
    'read_presence',
    'select member, at from presence where scope = $1 order by member',
  ),
  presenceOf: statement<{ scope: string; member: string; at: number }>(
    'read_presence_of',
    'select scope, member, at from presence where scope = any($1::text[])',
  ),
}
