/** One named statement; each connection prepares it once, at its first use. */
export interface Statement<Row = never> {
  readonly name: string
  readonly text: string
  /** What a row looks like; known to the compiler only. */
  readonly row?: Row
}

/** A statement with its values. */
export type Call = readonly [statement: Statement, values: readonly unknown[]]

export const statement = <Row = never>(name: string, text: string): Statement<Row> => ({ name, text })

/**
 * A change that must touch exactly `count` rows, or the transaction fails: division by zero is the one way to say so in
 * plain SQL. Everything changed is locked and compared beforehand; this holds also where that reasoning should be wrong.
 */
export const exactly = (change: string, count: string) =>
  `with done as (${change} returning 1) select 1 / (count(*) = ${count}::bigint)::int from done`
