import type { Database } from '../database'
import type { Statement } from '../statements/statement'

const parse = <T>(body: string): T => JSON.parse(body)

/** Returns the entities that a statement finds, in the order of the statement. */
export async function bodiesOf<T>(
  database: Database,
  statement: Statement<{ body: string }>,
  values: readonly unknown[] = [],
): Promise<T[]> {
  return (await database.read(statement, values)).rows.map(({ body }) => parse<T>(body))
}
