import type { Entities, EntityKind } from '@matchyard/core/ports'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { readStatements } from '../statements/entities'
import type { Statement } from '../statements/statement'

const parse = <T>(body: string): T => JSON.parse(body)

/** Returns the entities that a statement finds, in its order. */
export async function bodiesOf<T>(
  database: Database,
  statement: Statement<{ body: string }>,
  values: readonly unknown[] = [],
): Promise<T[]> {
  return (await database.read(statement, values)).rows.map(({ body }) => parse<T>(body))
}

export async function get<K extends EntityKind>(database: Database, kind: K, id: string) {
  const [found] = await bodiesOf<Entities[K]>(database, readStatements[kind].body, [toColumn(id)])
  return found
}

export async function getMany<K extends EntityKind>(
  database: Database,
  kind: K,
  ids: readonly string[],
): Promise<Entities[K][]> {
  if (ids.length === 0) return []
  const { rows } = await database.read(readStatements[kind].bodies, [ids.map(toColumn)])
  const bodies = new Map(rows.map(({ id, body }) => [fromColumn(id), body]))
  return ids.flatMap((id) => {
    const body = bodies.get(id)
    return body === undefined ? [] : [parse<Entities[K]>(body)]
  })
}

export async function find<K extends EntityKind>(database: Database, kind: K, key: string) {
  const [found] = await bodiesOf<Entities[K]>(database, readStatements[kind].byKey, [toColumn(key)])
  return found
}
