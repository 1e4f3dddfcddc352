import type { Database, RunResult } from 'better-sqlite3'

/**
 * The part of a prepared statement that this adapter uses. The library's own type is hidden in its namespace, so
 * generated declarations could not name it.
 */
export interface Prepared<Bind extends unknown[], Row = unknown> {
  /** SQL of the statement. */
  readonly source: string
  run(...bind: Bind): RunResult
  get(...bind: Bind): Row | undefined
  all(...bind: Bind): Row[]
  iterate(...bind: Bind): IterableIterator<Row>
  /** Returns each row as its first column. */
  pluck(): this
  /** Returns each row as an array. */
  raw(): this
}

export const prepare = <Bind extends unknown[], Row = unknown>(db: Database, sql: string): Prepared<Bind, Row> =>
  db.prepare(sql) as unknown as Prepared<Bind, Row>
