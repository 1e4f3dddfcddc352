import { Client, type QueryConfig, type QueryResult } from 'pg'
import { plainConfig, quoted } from './connections/session'
import { asUnavailable } from './failure'
import { schemaVersion } from './migrate'
import { MIGRATIONS } from './migrations/index'
import { type PostgresStorageOptions, type Settings, withDefaults } from './options'
import { send } from './send'
import { commitStatements } from './statements/commits'

/** Connections that hold a transaction open while it is looked whether sessions last. */
const OTHERS = 2

/** What an operator wants to know of a database before a service runs on it. */
export interface PostgresInspection {
  /** As the server says it: `15.8`. */
  readonly serverVersion: string
  /** Migrations that the schema has seen; 0 where there is none yet. */
  readonly schemaVersion: number
  readonly latestSchemaVersion: number
  /** The newest instant any commit carried, in milliseconds; 0 for an empty store. */
  readonly newestInstant: number
  /** The build of the newest archive that may be launched; undefined where there is none. */
  readonly newestArchive: string | undefined
  /** What the server's clock says, in milliseconds. */
  readonly now: number
  /** Connections that the server grants to all programs together. */
  readonly maxConnections: number
  /** Whether the address leads to a pooler in transaction mode: nobody hears anything by it. */
  readonly isPooled: boolean
  /** The database and the start of its server: two addresses of one have the same. */
  readonly identity: string
}

/**
 * Looks at a database beside the service, over one connection, and changes nothing. Throws StorageUnavailable with one line
 * where it cannot be reached, and for the schema of another program or of a newer version.
 */
export async function inspectPostgres(options: PostgresStorageOptions): Promise<PostgresInspection> {
  const settings = withDefaults(options)
  // Without the settings of a session: a pooler would refuse them, and is to be recognised.
  const client = nameless(new Client({ ...plainConfig(settings), query_timeout: settings.answerTimeoutMs }))
  // A connection that breaks is told of by the statement that waits for it.
  client.on('error', () => {})
  try {
    await client.connect()
    const { version, newest, newestArchive } = await storedIn(client, settings)
    return {
      serverVersion: (await show(client, 'server_version')).split(' ')[0] ?? '',
      schemaVersion: version,
      latestSchemaVersion: MIGRATIONS.length,
      newestInstant: newest,
      newestArchive,
      now: await nowOf(client),
      maxConnections: Number(await show(client, 'max_connections')),
      isPooled: await isPooled(client, settings),
      identity: await identityOf(client),
    }
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** In one transaction, for behind a pooler there is no longer session than that. */
async function storedIn(client: Client, { schema }: Settings) {
  await client.query('begin')
  try {
    await client.query(`set local search_path to ${quoted(schema)}`)
    const found = await schemaVersion(client, schema)
    const version = found === 'absent' ? 0 : found
    const newest = version === 0 ? 0 : ((await send(client, commitStatements.newestInstant, [])).rows[0]?.at ?? 0)
    const newestArchive = version === 0 ? undefined : await newestArchiveOf(client)
    return { version, newest, newestArchive }
  } finally {
    await client.query('rollback')
  }
}

async function newestArchiveOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    "select id from build where status = 'ready' and type = 'zip' order by created_at desc, id desc limit 1",
  )
  return rows[0]?.id
}

/** Nor do names of statements outlive it. */
function nameless(client: Client): Client {
  const send = client.query.bind(client) as (config: QueryConfig) => Promise<QueryResult>
  const query = (given: string | QueryConfig, values?: unknown[]) =>
    send(
      typeof given === 'string'
        ? { text: given, ...(values && { values }) }
        : { text: given.text, ...(given.values && { values: given.values }) },
    )
  client.query = query as unknown as Client['query']
  return client
}

async function show(client: Client, setting: 'server_version' | 'max_connections'): Promise<string> {
  const { rows } = await client.query<{ value: string }>(`select current_setting($1) as value`, [setting])
  return rows[0]?.value ?? ''
}

async function pidOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: string }>('select pg_backend_pid()::text as pid')
  return rows[0]?.pid ?? ''
}

/**
 * Whether a connection's session is its own: with others in the middle of transactions a pooler in transaction mode has to give it another server
 * process than before.
 */
async function isPooled(client: Client, settings: Settings): Promise<boolean> {
  const others = Array.from({ length: OTHERS }, () => new Client(plainConfig(settings)))
  try {
    const before = await pidOf(client)
    for (const other of others) {
      other.on('error', () => {})
      await other.connect()
      await other.query('begin')
    }
    return (await Promise.all(others.map(pidOf))).includes(before) || (await pidOf(client)) !== before
  } catch {
    // A server without a connection to spare; that is told elsewhere.
    return false
  } finally {
    await Promise.all(others.map((other) => other.end().catch(() => {})))
  }
}

async function identityOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(
    "select current_database() || ' ' || extract(epoch from pg_postmaster_start_time())::text as identity",
  )
  return rows[0]?.identity ?? ''
}

async function nowOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ now: string }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000) as now',
  )
  return Number(rows[0]?.now ?? 0)
}
