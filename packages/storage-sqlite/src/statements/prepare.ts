import type { Database, RunResult } from 'better-sqlite3'

/**
 * What this adapter uses of a prepared statement. The library's own type is hidden in its namespace, where declarations that are
 * made from ours could not name it.
 */
export interface Prepared<Bind extends unknown[], Row = unknown> {
  /** Its SQL. */
  readonly source: string
  run(...bind: Bind): RunResult
  get(...bind: Bind): Row | undefined
  all(...bind: Bind): Row[]
  iterate(...bind: Bind): IterableIterator<Row>
  /** Rows as their first column. */
  pluck(): this
  /** Rows as arrays. */
  raw(): this
}

export const prepare = <Bind extends unknown[], Row = unknown>(db: Database, sql: string): Prepared<Bind, Row> =>
  db.prepare(sql) as unknown as Prepared<Bind, Row>
