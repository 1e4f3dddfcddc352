import { ENTITY_KINDS, type EntityKind } from '@matchyard/core/ports'
import { jsonListIn } from '../column-text'
import { ENTITY_TABLES } from '../tables'
import { exactly, type Statement, statement } from './statement'

const perKind = <T>(make: (kind: EntityKind) => T): Readonly<Record<EntityKind, T>> =>
  Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, make(kind)])) as Record<EntityKind, T>

type LockedRow = Readonly<Record<string, string | number | null>>

/**
 * Statements that lock the rows of each kind, for reading or for writing. The tables differ only in their columns, so
 * the SQL is generated.
 */
export const lockStatements = perKind((kind): { share: Statement<LockedRow>; update: Statement<LockedRow> } => {
  const { table, counted } = ENTITY_TABLES[kind]
  const lock = (mode: 'share' | 'update') =>
    statement<LockedRow>(
      `lock_${table}_${mode}`,
      `select ${['id', 'version', ...counted].join(', ')} from ${table} where id = any($1) order by id for ${mode}`,
    )
  return { share: lock('share'), update: lock('update') }
})

/**
 * Statements that lock and compare the rows of checks without reading them first. Parameters: ids and expected
 * versions, sorted by id; their count.
 */
export const assertStatements = perKind((kind) => {
  const { table } = ENTITY_TABLES[kind]
  return statement(
    `assert_${table}`,
    `select 1 / (count(*) = $3::bigint)::int from (
       select from unnest($1::text[], $2::bigint[]) as v(id, expected)
       join ${table} t on t.id = v.id and t.version = v.expected order by t.id for share of t
     ) as held`,
  )
})

/**
 * Statements that write the rows of each kind. Parameters: ids, expected versions (for updates), versions, one list per
 * column, bodies, and the count.
 */
export const writeStatements = perKind((kind) => {
  const { table, columns } = ENTITY_TABLES[kind]
  const names = ['id', 'version', ...columns.map(({ name }) => name), 'body']
  const types = ['text', 'bigint', ...columns.map(({ type }) => type), 'json']
  const list = (type: string, parameter: string) =>
    type === 'json' ? jsonListIn(parameter) : `${parameter}::${type}[]`
  const lists = (types: readonly string[]) => types.map((type, index) => list(type, `$${index + 1}`)).join(', ')
  const updated = names.slice(1)
  return {
    insert: statement(
      `insert_${table}`,
      `insert into ${table} (${names.join(', ')}) select * from unnest(${lists(types)})`,
    ),
    update: statement(
      `update_${table}`,
      exactly(
        `update ${table} t set ${updated.map((name) => `${name} = v.${name}`).join(', ')}
         from unnest(${lists(['text', 'bigint', ...types.slice(1)])}) as v(id, expected, ${updated.join(', ')})
         where t.id = v.id and t.version = v.expected`,
        `$${names.length + 2}`,
      ),
    ),
    remove: statement(
      `remove_${table}`,
      exactly(
        `delete from ${table} t using unnest($1::text[], $2::bigint[]) as v(id, expected)
         where t.id = v.id and t.version = v.expected`,
        '$3',
      ),
    ),
  }
})
