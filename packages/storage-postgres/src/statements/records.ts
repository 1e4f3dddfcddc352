import { KEPT_RECORDS } from '@matchyard/core/ports'
import { statement } from './statement'

const { records, bytes, crowded, crowdedMs } = KEPT_RECORDS

/**
 * Returns the query of the idempotency records that exceed the bounds. `parts` are values of `column`, which are owners
 * or groups. `count` and `size` are the number and the bytes of the new records of each of them.
 */
const pastBounds = (column: string, [parts, count, size]: readonly [string, string, string]) => `
  select id from (
    select i.id, i.created_at,
      p.coming + row_number() over newest as n, p.coming_bytes + sum(i.bytes) over newest as total
    from unnest(${parts}::text[], ${count}::bigint[], ${size}::bigint[]) as p(part, coming, coming_bytes)
      join idempotency i on i.${column} = p.part
    window newest as (partition by i.${column} order by i.created_at desc, i.bytes desc, i.id desc)
  ) as ranked
  where n > ${records} or total > ${bytes} or (n > ${crowded} and created_at < $7::bigint - ${crowdedMs})`

export const recordStatements = {
  /**
   * Deletes idempotency records so that the new records of a batch fit into the bounds of their owners and groups. Two
   * nodes may do this for the same owner at once. Rows that the other node has locked are skipped, so that neither node
   * waits.
   */
  makeRoom: statement(
    'make_room_for_records',
    `delete from idempotency where id in (
      select id from idempotency where id in (
        ${pastBounds('owner_part', ['$1', '$2', '$3'])}
        union
        ${pastBounds('group_part', ['$4', '$5', '$6'])}
      ) for update skip locked
    )`,
  ),
}
