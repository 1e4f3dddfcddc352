import { StorageUnavailable } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { MIGRATIONS } from './migrations/index'
import { send } from './send'
import { statement } from './statements/statement'

const LOCK = statement('migrate_lock', `select pg_advisory_xact_lock(hashtext('matchyard'), hashtext($1))`)
const SCHEMA = statement<{ present: string; marked: string; tables: number }>(
  'migrate_schema',
  `select exists (select from pg_namespace where nspname = $1) as present,
     exists (select from pg_tables where schemaname = $1 and tablename = 'schema_version') as marked,
     (select count(*) from pg_tables where schemaname = $1) as tables`,
)
const VERSION = 'select version from schema_version'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Refuses a schema of another program and one newer than this code knows; says which migrations it has seen. */
export async function schemaVersion(client: ClientBase, schema: string): Promise<number | 'absent'> {
  const [found] = (await send(client, SCHEMA, [schema])).rows
  if (found?.present !== 't') return 'absent'
  if (found.marked !== 't') {
    if (found.tables === 0) return 0
    throw new StorageUnavailable(`PostgreSQL: schema ${schema} holds the tables of another program`)
  }
  const version = Number((await client.query<{ version: number }>(VERSION)).rows[0]?.version ?? 0)
  if (version > MIGRATIONS.length) {
    throw new StorageUnavailable(
      `PostgreSQL: schema ${schema} is at ${version}, newer than the ${MIGRATIONS.length} known here: run a newer version of the service`,
    )
  }
  return version
}

export async function requireCurrentSchema(client: ClientBase, schema: string): Promise<void> {
  const version = await schemaVersion(client, schema)
  if (version !== MIGRATIONS.length) {
    const seen = version === 'absent' ? 0 : version
    throw new StorageUnavailable(
      `PostgreSQL: schema ${schema} has seen ${seen} of ${MIGRATIONS.length} migrations: migrate it first`,
    )
  }
}

/**
 * Runs the missing migrations, all in one transaction: the schema is the new one or the old one, never a part. Of nodes that
 * start at once one does the work and the others wait for it; this is the only place that takes an advisory lock.
 */
export async function migrate(client: ClientBase, schema: string): Promise<void> {
  await client.query('begin isolation level read committed')
  try {
    // A migration, and the wait for another node's, may take long.
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await send(client, LOCK, [schema])
    const version = await schemaVersion(client, schema)
    if (version === 'absent') await client.query(`create schema ${quoted(schema)}`)
    const seen = version === 'absent' ? 0 : version
    if (seen === 0) {
      await client.query('create table schema_version (version int not null); insert into schema_version values (0)')
    }
    if (seen < MIGRATIONS.length) {
      for (const migration of MIGRATIONS.slice(seen)) await client.query(migration)
      await client.query(`update schema_version set version = ${MIGRATIONS.length}`)
    }
    await client.query('commit')
  } catch (error) {
    // The first error tells what happened; a connection that is gone has rolled back by itself.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
