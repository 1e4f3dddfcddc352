/** A named statement; each connection prepares it once, at its first use. */
export interface Statement<Row = never> {
  readonly name: string
  readonly text: string
  /** Type of a row, for the compiler only. */
  readonly row?: Row
}

/** A statement with its values. */
export type Call = readonly [statement: Statement, values: readonly unknown[]]

export const statement = <Row = never>(name: string, text: string): Statement<Row> => ({ name, text })

/**
 * Returns SQL for a change that must affect exactly `count` rows. Otherwise the transaction fails by a division by
 * zero, because plain SQL has no other way to fail. The rows were locked and compared before, so this only guards
 * against a bug in that code.
 */
export const exactly = (change: string, count: string) =>
  `with done as (${change} returning 1) select 1 / (count(*) = ${count}::bigint)::int from done`
