import { type Migration, oldestCode, StorageUnavailable } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { MIGRATIONS, ORIGIN } from './migrations/index'
import { DEFAULT_SCHEMA, type Settings } from './options'
import { quoted } from './quoted'
import { requireSchemaName } from './schema-name'
import { send } from './send'
import { statement } from './statements/statement'

const LOCK = statement('migrate_lock', `select pg_advisory_xact_lock(hashtext('matchyard'), hashtext($1))`)
const SCHEMA = statement<{ present: string; marked: string; tables: number }>(
  'migrate_schema',
  `select exists (select from pg_namespace where nspname = $1) as present,
     exists (select from pg_tables where schemaname = $1 and tablename = 'schema_version') as marked,
     (select count(*) from pg_tables where schemaname = $1) as tables`,
)
const VERSION = 'select * from schema_version'
/** Makes all connections that read the schema's version wait until the migration has ended. */
const HIDE_VERSION = 'lock table schema_version in access exclusive mode'
/** Ends the other nodes' connections, except the connections that wait for the same migration lock. */
const END_OTHERS = statement(
  'migrate_end_others',
  `select pg_terminate_backend(pid) from pg_stat_activity as a
   where datname = current_database() and usename = current_user and application_name = $1 and pid <> pg_backend_pid()
     and not exists (select from pg_locks as l where l.pid = a.pid and locktype = 'advisory')`,
)

/**
 * Returns the number of migrations that the schema has run. Throws StorageUnavailable for a schema of another program,
 * for a schema with another first migration, and for a schema that is too new for this code.
 */
export async function schemaVersion(
  client: ClientBase,
  schema: string,
  known = MIGRATIONS.length,
): Promise<number | 'absent'> {
  const [found] = (await send(client, SCHEMA, [schema])).rows
  if (found?.present !== 't') return 'absent'
  if (found.marked !== 't') {
    if (found.tables === 0) return 0
    throw new StorageUnavailable(`PostgreSQL: schema ${schema} holds the tables of another program`)
  }
  const [row] = (await client.query<{ version: number; oldest_code?: number; origin?: string }>(VERSION)).rows
  const version = Number(row?.version ?? 0)
  if (version > 0 && row?.origin !== ORIGIN) {
    throw new StorageUnavailable(
      `PostgreSQL: schema ${schema} was made by another version from before 0.1, and its data cannot be carried over: start with an empty database, or run that version`,
    )
  }
  if (version > known && Number(row?.oldest_code) > known) {
    throw new StorageUnavailable(
      `PostgreSQL: schema ${schema} is at ${version}, too new for this version, which knows ${known}: run a newer version of the service`,
    )
  }
  return version
}

export async function requireCurrentSchema(client: ClientBase, schema: string): Promise<void> {
  const version = await schemaVersion(client, schema)
  const seen = version === 'absent' ? 0 : version
  if (seen < MIGRATIONS.length) {
    throw new StorageUnavailable(
      `PostgreSQL: schema ${schema} has ${seen} of ${MIGRATIONS.length} migrations: migrate it first`,
    )
  }
}

/**
 * Runs the missing migrations in one transaction: the result is either the old or the new schema, never a mixture. When
 * several nodes start at once, one of them migrates and the others wait. No other code takes an advisory lock.
 *
 * Nodes whose code cannot run on the new schema lose their connections before anything changes. Their next connections
 * are refused, because each new connection checks the version first. These nodes therefore write no row that the new
 * code would misread.
 */
export async function migrate(
  client: ClientBase,
  { schema, applicationName }: Pick<Settings, 'schema' | 'applicationName'>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await client.query('begin isolation level read committed')
  try {
    // Time limits are off, because a migration, and the wait for another node's migration, may take long.
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await send(client, LOCK, [schema])
    const version = await schemaVersion(client, schema, migrations.length)
    if (version === 'absent') await client.query(`create schema ${quoted(schema)}`)
    const seen = version === 'absent' ? 0 : version
    if (seen === 0) {
      await client.query(
        'create table schema_version (version int not null, oldest_code int not null, origin text not null)',
      )
      await client.query('insert into schema_version values (0, 0, $1)', [ORIGIN])
    } else if (oldestCode(migrations) > seen) {
      await client.query(HIDE_VERSION)
      await send(client, END_OTHERS, [applicationName])
    }
    if (seen < migrations.length) {
      for (const { sql } of migrations.slice(seen)) await client.query(sql)
      await client.query('update schema_version set version = $1, oldest_code = $2', [
        migrations.length,
        oldestCode(migrations),
      ])
    }
    await client.query('commit')
  } catch (error) {
    // The caller gets the first error. After a lost connection the server has rolled back already, so an error here is
    // ignored.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Returns a script that migrates a schema as `migrate` does, for an administrator who runs it by `psql`; an empty text
 * when nothing is missing. `seen`: number of migrations that the schema has run; with 0 the script creates the schema.
 * `role`: role of the service, to which the script gives all rights that the service needs. Nodes of an older version
 * must be stopped first if the migration does not suit them. Throws TypeError for a schema that PostgreSQL would refuse.
 */
export function migrationScript(options: {
  /** Name of the schema; default `matchyard`. */
  readonly schema?: string
  readonly seen: number
  readonly role?: string | undefined
}): string {
  const { schema = DEFAULT_SCHEMA, seen, role } = options
  requireSchemaName(schema)
  const first = [
    `create schema if not exists ${quoted(schema)};`,
    `set local search_path to ${quoted(schema)};`,
    'create table schema_version (version int not null, oldest_code int not null, origin text not null);',
    `insert into schema_version values (0, 0, '${ORIGIN}');`,
  ]
  const steps = MIGRATIONS.slice(seen).map(({ sql }) => `${sql.trim().replace(/;$/, '')};`)
  const version = `update schema_version set version = ${MIGRATIONS.length}, oldest_code = ${oldestCode(MIGRATIONS)};`
  const begun = seen === 0 ? first : [`set local search_path to ${quoted(schema)};`]
  const rights = role === undefined ? [] : grantsTo(role, schema)
  return steps.length === 0 ? '' : `${['begin;', ...begun, ...steps, version, ...rights, 'commit;'].join('\n')}\n`
}

const grantsTo = (role: string, schema: string) => [
  `grant usage on schema ${quoted(schema)} to ${quoted(role)};`,
  `grant all on all tables in schema ${quoted(schema)} to ${quoted(role)};`,
  `grant all on all sequences in schema ${quoted(schema)} to ${quoted(role)};`,
]
