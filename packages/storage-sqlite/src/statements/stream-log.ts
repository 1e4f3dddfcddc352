import type { StreamEventName } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'
import { PRUNE_SLICE } from './prune'

export interface EventRow {
  readonly version: number
  readonly name: StreamEventName
  readonly at: number
  readonly bytes: number
  readonly body: string
}

/** Bounds of the log of a lobby's stream events, counted from its newest event. */
export interface Keeping {
  readonly lobby: string
  readonly events: number
  readonly bytes: number
  /** Oldest instant of an event that is kept. */
  readonly since: number
}

/** Statements of the lobbies' logs of stream events. */
export const streamLogStatements = (db: Database) => ({
  totalBefore: prepare<[string, number], number>(
    db,
    'select total from stream_event where lobby_id = ? and version < ? order by version desc limit 1',
  ).pluck(),
  addEvent: prepare<[string, number, string, number, number, number, string]>(
    db,
    'insert into stream_event (lobby_id, version, name, at, bytes, total, body) values (?, ?, ?, ?, ?, ?, ?)',
  ),
  cut: prepare<[{ lobby: string; version: number; total: number; events: number; bytes: number }]>(
    db,
    `
    delete from stream_event where lobby_id = @lobby and version < @version
      and (version <= @version - @events or total - bytes < @total - @bytes)`,
  ),
  events: prepare<[string, number, number], EventRow>(
    db,
    `
    select version, name, at, bytes, body from stream_event
    where lobby_id = ? and version > ? order by version limit ?`,
  ),
  // Returns the end of the next slice of events before an instant, after at most the rows of one slice.
  agedSlice: prepare<[{ after: number; before: number }], number>(
    db,
    `
    select at from stream_event indexed by stream_aged where at > @after and at < @before
    order by at limit 1 offset ${PRUNE_SLICE}`,
  ).pluck(),
  agedLogs: prepare<[{ after: number; to: number; before: number }], string>(
    db,
    `
    select distinct lobby_id from stream_event indexed by stream_aged
    where at > @after and at <= @to and at < @before`,
  ).pluck(),
  longLogs: prepare<[], string>(
    db,
    `
    select distinct lobby_id from stream_event indexed by stream_long
    where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304`,
  ).pluck(),
  oldestOf: prepare<[string], { version: number; start: number }>(
    db,
    'select version, total - bytes as start from stream_event where lobby_id = ? order by version limit 1',
  ),
  newestOf: prepare<[string], { version: number; name: StreamEventName; at: number }>(
    db,
    'select version, name, at from stream_event where lobby_id = ? order by version desc limit 1',
  ),
  // Returns the version of the first event to keep. The scan begins at the oldest event, so its cost depends only on
  // the number of removed events. The newest event is always kept.
  firstKept: prepare<[Keeping], number>(
    db,
    `
    select e.version from stream_event e,
      (select version, total from stream_event where lobby_id = @lobby order by version desc limit 1) as newest
    where e.lobby_id = @lobby and (e.version = newest.version or (e.version > newest.version - @events
      and newest.total - (e.total - e.bytes) <= @bytes and e.at >= @since))
    order by e.version limit 1`,
  ).pluck(),
  /**
   * Deletes the oldest events before a version, at most one slice. `start` is the maximum size of the log before a
   * deleted event.
   */
  eventsBefore: prepare<[{ lobby: string; version: number; start: number }]>(
    db,
    `
    delete from stream_event where rowid in (
      select rowid from stream_event where lobby_id = @lobby and version < @version and total - bytes <= @start
      order by version limit ${PRUNE_SLICE})`,
  ),
})

export type StreamLogStatements = ReturnType<typeof streamLogStatements>
