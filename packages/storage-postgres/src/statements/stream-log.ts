import type { StreamEventName } from '@matchyard/core/ports'
import { jsonListIn } from '../column-text'
import { PRUNE_SLICE } from './prune'
import { statement } from './statement'

export interface EventRow {
  readonly version: number
  readonly name: StreamEventName
  readonly at: number
  readonly bytes: number
  readonly body: string
}

/** Statements of the logs of lobbies' stream events. */
export const streamLogStatements = {
  /**
   * Adds events to logs. Each event continues the running total of bytes of the previous event, in its log or in the
   * same batch.
   */
  addEvents: statement(
    'add_events',
    `insert into stream_event (lobby_id, version, name, at, bytes, total, body)
     select lobby_id, version, name, at, bytes, sum(bytes) over (partition by lobby_id order by version) + coalesce(
       (select total from stream_event e where e.lobby_id = v.lobby_id order by e.version desc limit 1), 0), body
     from (
       select *, octet_length(body) as bytes
       from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], ${jsonListIn('$5')})
         as v(lobby_id, version, name, at, body)
     ) as v`,
  ),
  /**
   * Events of a lobby. Parameters: lobby, version before the first event, maximum number of events, maximum bytes. The
   * running totals show how many events fit.
   */
  events: statement<EventRow>(
    'read_events',
    `select e.version, e.name, e.at, e.bytes, e.body from (
       select version, total - bytes as start from stream_event where lobby_id = $1 and version > $2 order by version limit 1
     ) as first join stream_event e on e.lobby_id = $1 and e.version >= first.version
     where e.version = first.version or e.total - first.start <= $4
     order by e.version limit $3`,
  ),
  range: statement<{ oldest: number | null; newest: number | null }>(
    'event_range',
    'select min(version) as oldest, max(version) as newest from stream_event where lobby_id = $1',
  ),
  /**
   * Versions of the newest event of each lobby. A lobby costs one index lookup, so the length of its log does not
   * matter.
   */
  heads: statement<{ lobby_id: string; version: number }>(
    'event_heads',
    `select asked.lobby_id, newest.version from unnest($1::text[]) as asked(lobby_id), lateral (
       select version from stream_event e where e.lobby_id = asked.lobby_id order by version desc limit 1
     ) as newest`,
  ),

  /** Instant at which the next slice of old events ends, after `PRUNE_SLICE` rows; no row for the last slice. */
  agedSlice: statement<{ at: number }>(
    'aged_slice',
    `select at from stream_event where at > $1 and at < $2 order by at limit 1 offset ${PRUNE_SLICE}`,
  ),
  agedLogs: statement<{ lobby_id: string }>(
    'aged_logs',
    'select distinct lobby_id from stream_event where at > $1 and at <= $2 and at < $3',
  ),
  longLogs: statement<{ lobby_id: string }>(
    'long_logs',
    `select distinct lobby_id from stream_event
     where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304`,
  ),
  /**
   * Deletes old events of logs. Parameters: lobbies, number of events that each log keeps, oldest instant, bytes. The
   * search starts at the oldest event, so its cost depends only on the number of deleted events. The whole log is
   * deleted when the lobby was deleted before the oldest instant.
   */
  cut: statement(
    'cut_logs',
    `delete from stream_event where ctid = any(array(
       select gone.ctid from unnest($1::text[]) as asked(lobby_id),
         lateral (
           select version, name, at, total from stream_event e
           where e.lobby_id = asked.lobby_id order by version desc limit 1
         ) as newest,
         lateral (
           select newest.version + 1 as version where newest.name = 'lobby_deleted' and newest.at < $3
           union all
           (select version from stream_event e
            where e.lobby_id = asked.lobby_id and not (newest.name = 'lobby_deleted' and newest.at < $3)
              and (e.version = newest.version or (e.version > newest.version - $2
                and newest.total - (e.total - e.bytes) <= $4 and e.at >= $3))
            order by e.version limit 1)
         ) as kept,
         lateral (
           select e.ctid, e.version from stream_event e
           where e.lobby_id = asked.lobby_id and e.version < kept.version order by e.version
         ) as gone
       limit ${PRUNE_SLICE}))`,
  ),
}
