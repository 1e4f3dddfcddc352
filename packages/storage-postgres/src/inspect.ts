import { Client } from 'pg'
import { connectionConfig, prepareSession } from './connections/session'
import { asUnavailable } from './failure'
import { schemaVersion } from './migrate'
import { MIGRATIONS } from './migrations/index'
import { type PostgresStorageOptions, withDefaults } from './options'
import { send } from './send'
import { commitStatements } from './statements/commits'

/** What an operator wants to know of a database before a service runs on it. */
export interface PostgresInspection {
  /** As the server says it: `15.8`. */
  readonly serverVersion: string
  /** Migrations that the schema has seen; 0 where there is none yet. */
  readonly schemaVersion: number
  readonly latestSchemaVersion: number
  /** The newest instant any commit carried, in milliseconds; 0 for an empty store. */
  readonly newestInstant: number
  /** What the server's clock says, in milliseconds. */
  readonly now: number
  /** Connections that the server grants to all programs together. */
  readonly maxConnections: number
}

/**
 * Looks at a database beside the service, over one connection, and changes nothing. Throws StorageUnavailable with one line
 * where it cannot be reached, and for the schema of another program or of a newer version.
 */
export async function inspectPostgres(options: PostgresStorageOptions): Promise<PostgresInspection> {
  const settings = withDefaults(options)
  const client = new Client({ ...connectionConfig(settings), query_timeout: settings.answerTimeoutMs })
  // A connection that breaks is told of by the statement that waits for it.
  client.on('error', () => {})
  try {
    await client.connect()
    await prepareSession(client, settings)
    const version = await schemaVersion(client, settings.schema)
    const seen = version === 'absent' ? 0 : version
    return {
      serverVersion: (await show(client, 'server_version')).split(' ')[0] ?? '',
      schemaVersion: seen,
      latestSchemaVersion: MIGRATIONS.length,
      newestInstant: seen === 0 ? 0 : ((await send(client, commitStatements.newestInstant, [])).rows[0]?.at ?? 0),
      now: await nowOf(client),
      maxConnections: Number(await show(client, 'max_connections')),
    }
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function show(client: Client, setting: 'server_version' | 'max_connections'): Promise<string> {
  const { rows } = await client.query<{ value: string }>(`select current_setting($1) as value`, [setting])
  return rows[0]?.value ?? ''
}

async function nowOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ now: string }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000) as now',
  )
  return Number(rows[0]?.now ?? 0)
}
