import type { Database, RunResult } from 'better-sqlite3'

/**
 * The members of a prepared statement that this adapter uses. The library's own type is hidden in its namespace, so
 * generated type declarations could not name it.
 */
export interface Prepared<Bind extends unknown[], Row = unknown> {
  /** SQL of the statement. */
  readonly source: string
  run(...bind: Bind): RunResult
  get(...bind: Bind): Row | undefined
  all(...bind: Bind): Row[]
  iterate(...bind: Bind): IterableIterator<Row>
  /** Makes the statement return only the first column of each row. */
  pluck(): this
  /** Makes the statement return each row as an array. */
  raw(): this
}

export const prepare = <Bind extends unknown[], Row = unknown>(db: Database, sql: string): Prepared<Bind, Row> =>
  db.prepare(sql) as unknown as Prepared<Bind, Row>
