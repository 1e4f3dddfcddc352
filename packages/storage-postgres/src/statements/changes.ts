import type { ChangeKind } from '@matchyard/core/ports'
import { type Statement, statement } from './statement'

/**
 * View of a read of the log: its snapshot as `xmin:xmax:xip_list`, and the id of the log's table, because a restored
 * table has another id.
 */
export interface SnapshotRow {
  readonly snapshot: string
  readonly log: string
}

/** One commit in the log. A read without commits returns one row that holds only the snapshot and the table. */
export interface LogRow extends SnapshotRow {
  /** Whether changes that are not visible in the cursor's snapshot were pruned. */
  readonly forgotten: 't' | 'f' | null
  readonly id: string | null
  readonly xid: string
  /** List of `Changed` as JSON. */
  readonly changed: string
}

/** Current state of an entity whose id was passed to the statement `things`. */
export interface ThingRow {
  /** Position of the entity among the parameters; the first is 1. */
  readonly n: number
  /** Null when the entity does not exist. */
  readonly version: number | null
  /**
   * Body of the entity; null when the entity has another version than the requested one, or when the maximum bytes are
   * used up.
   */
  readonly body: string | null
}

/** An entity of a project, with its values of the columns by which the rows are ordered. */
export interface HeldRow {
  readonly first: string
  readonly second: string
  readonly id: string
  readonly version: number
  readonly body: string
}

const SEEN = `pg_current_snapshot()::text as snapshot, 'commit_log'::regclass::oid::text as log`

/**
 * Condition and order columns with which the rows of each kind are read. The order is that of an index that another
 * query needs too. An entity that moves in this order during the read is also in the log of changes, so readers do not
 * miss it.
 */
const WALKS: Readonly<Record<ChangeKind, { where: string; keys: readonly [first: string, second?: string] }>> = {
  build: { where: 'project_id = $1', keys: ['created_at'] },
  lobby: { where: 'project_id = $1', keys: ['status', 'created_at'] },
  // A match's queue key is the project's id, a slash and the queue's id; "0" is the character after the slash.
  match: { where: `queue_key >= $1 || '/' and queue_key < $1 || '0'`, keys: ['queue_key', 'created_at'] },
  queue: { where: 'project_id = $1', keys: ['queue_id'] },
  server: { where: 'project_id = $1', keys: ['created_at'] },
}
const typeOf = (column: string) => (column === 'created_at' ? 'bigint' : 'text')

/**
 * Returns the statement that reads a page of a kind's rows. Parameters: project; the last row returned (its two keys
 * and its id); limit; bytes.
 */
function held(kind: ChangeKind): Statement<HeldRow> {
  const [first, second] = WALKS[kind].keys
  const keys = second === undefined ? [first] : [first, second]
  const order = [...keys, 'id'].join(', ')
  const from = [...keys.map((column, index) => `$${index + 2}::text::${typeOf(column)}`), '$4::text'].join(', ')
  return statement<HeldRow>(
    `held_${kind}`,
    `select first::text as first, second::text as second, id, version, body from (
       select *, row_number() over walk as n, sum(octet_length(body)) over walk as bytes from (
         select ${first} as first, ${second ?? '$3::text'} as second, id, version, body, ${order.replace(', id', '')}
         from ${kind} where ${WALKS[kind].where} and (${order}) > (${from}) order by ${order} limit $5
       ) as t window walk as (order by ${order} rows unbounded preceding)
     ) as s where n = 1 or bytes <= $6 order by n`,
  )
}

const thing = (kind: ChangeKind) => `select version, body from ${kind} where v.kind = '${kind}' and id = v.id`

/** Reads of the changes of projects. */
export const changeStatements = {
  snapshot: statement<SnapshotRow>('changes_now', `select ${SEEN}`),
  /**
   * Changes of a project. Parameters: project; the snapshot up to which all changes were returned; transaction and id
   * of the last commit; limit.
   */
  log: statement<LogRow>(
    'changes_log',
    `select ${SEEN}, (
         forgotten < pg_snapshot_xmax(pg_current_snapshot()) and (
           forgotten >= pg_snapshot_xmax($2::pg_snapshot)
           or exists (
             select from pg_snapshot_xip($2::pg_snapshot) as x
             where x <= forgotten and pg_visible_in_snapshot(x, pg_current_snapshot())
           )
         )
       ) as forgotten, c.id, c.xid::text as xid, c.changed
     from store left join lateral (
       select id, xid, changed from commit_log
       where project_id = $1 and xid >= pg_snapshot_xmin($2::pg_snapshot)
         and not pg_visible_in_snapshot(xid, $2::pg_snapshot) and (xid, id) >= ($3::xid8, $4::text)
       order by xid, id limit $5
     ) as c on true order by c.xid, c.id`,
  ),
  /**
   * Current versions of entities, with their bodies until the bytes are used up. Parameters: kinds, ids, wanted
   * versions, bytes.
   */
  things: statement<ThingRow>(
    'changed_things',
    `select n, version, case when version = wanted and (before = 0 or before + size <= $4::bigint) then body end as body from (
       select *, sum(size) over (order by n rows unbounded preceding) - size as before from (
         select v.n, v.wanted, t.version, t.body,
           case when t.version = v.wanted then octet_length(t.body) else 0 end as size
         from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as v(kind, id, wanted, n)
         left join lateral (
           ${[thing('build'), thing('lobby'), thing('match'), thing('queue'), thing('server')].join(' union all ')}
         ) as t on true
       ) as w
     ) as s order by n`,
  ),
  held: {
    build: held('build'),
    lobby: held('lobby'),
    match: held('match'),
    queue: held('queue'),
    server: held('server'),
  } satisfies Record<ChangeKind, Statement<HeldRow>>,
}
