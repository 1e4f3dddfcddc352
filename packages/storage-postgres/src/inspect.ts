import { MACHINES } from '@matchyard/core/ports'
import { Client, type QueryConfig, type QueryResult } from 'pg'
import { plainConfig } from './connections/session'
import { asUnavailable } from './failure'
import { schemaVersion } from './migrate'
import { MIGRATIONS } from './migrations/index'
import { type PostgresStorageOptions, type Settings, withDefaults } from './options'
import { quoted } from './quoted'
import { send } from './send'
import { commitStatements } from './statements/commits'

/** Number of other connections that hold a transaction open during the check for a pooler. */
const OTHERS = 2

/** Facts about a database that an operator checks before the service runs on it. */
export interface PostgresInspection {
  /** Version that the server reports, such as `15.8`. */
  readonly serverVersion: string
  /** Number of migrations that the schema has run; 0 without a schema. */
  readonly schemaVersion: number
  /** Number of migrations that this version knows. */
  readonly latestSchemaVersion: number
  /** Newest instant of any commit, in epoch milliseconds; 0 for an empty store. */
  readonly newestInstant: number
  /** Id of the most recently created build that is ready and has an archive; undefined when there is no such build. */
  readonly newestArchive: string | undefined
  /** Reports of the machines of the installation (`machineOfText`), at most MAX_REPORTS, the newest. */
  readonly machines: readonly {
    /** Text of the report. */
    readonly report: string
    /** Time of the report, in epoch milliseconds. */
    readonly at: number
  }[]
  /** Time of the server's clock, in epoch milliseconds. */
  readonly now: number
  /** Maximum number of connections that the server accepts from all programs together. */
  readonly maxConnections: number
  /** Whether the address leads to a pooler in transaction mode, where LISTEN receives nothing. */
  readonly isPooled: boolean
  /** Name of the database and start time of its server. The value is the same through every address of one database. */
  readonly identity: string
}

/**
 * Inspects a database for an operator's command, and changes nothing in it. Throws StorageUnavailable with a message of
 * one line when the server cannot be reached, and for a schema of another program or of a newer version.
 */
export async function inspectPostgres(options: PostgresStorageOptions): Promise<PostgresInspection> {
  const settings = withDefaults(options)
  // The connection has no session settings: a pooler would refuse them, and the check for a pooler must be able to
  // connect.
  const client = nameless(new Client({ ...plainConfig(settings), query_timeout: settings.answerTimeoutMs }))
  // The statement that waits for an answer on a broken connection reports the failure.
  client.on('error', () => {})
  try {
    await client.connect()
    const { version, newest, newestArchive, machines } = await storedIn(client, settings)
    return {
      serverVersion: (await show(client, 'server_version')).split(' ')[0] ?? '',
      schemaVersion: version,
      latestSchemaVersion: MIGRATIONS.length,
      newestInstant: newest,
      newestArchive,
      machines,
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

/** Reads the stored facts in one transaction, because behind a pooler a session lasts only as long as a transaction. */
async function storedIn(client: Client, { schema }: Settings) {
  await client.query('begin')
  try {
    await client.query(`set local search_path to ${quoted(schema)}`)
    const found = await schemaVersion(client, schema)
    const version = found === 'absent' ? 0 : found
    const newest = version === 0 ? 0 : ((await send(client, commitStatements.newestInstant, [])).rows[0]?.at ?? 0)
    const newestArchive = version === 0 ? undefined : await newestArchiveOf(client)
    const machines = version === 0 ? [] : await machinesOf(client)
    return { version, newest, newestArchive, machines }
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

/** Maximum reports of machines in one inspection. */
const MAX_REPORTS = 100

async function machinesOf(client: Client): Promise<{ report: string; at: number }[]> {
  const { rows } = await client.query<{ report: string; at: string }>(
    'select member as report, at from presence where scope = $1 order by at desc limit $2',
    [MACHINES, MAX_REPORTS],
  )
  return rows.map(({ report, at }) => ({ report, at: Number(at) }))
}

/**
 * Removes the names from all statements of a client. Behind a pooler a prepared statement lasts only as long as its
 * transaction.
 */
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
 * Whether the connection leads to a pooler in transaction mode. The check holds transactions open on other connections.
 * With such a pooler, this connection then gets another server process than before, or its former server process serves
 * another connection.
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
    // The server has no free connection for this check; another check reports that.
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
