import { type Logger, type NamesOf, requireKnownOptions, unfailing } from '@matchyard/core/ports'
import { type PostgresAddress, postgresAddress } from './address'
import { connectionsOf, type PostgresPool } from './program-pool'
import { requireSchemaName } from './schema-name'

interface CommonOptions {
  /**
   * URL of the same database that does not lead through a pooler in transaction mode. Required when the other
   * connections lead to such a pooler (PgBouncer): signals and migrations need a session that no other client shares.
   * Default: none; then the other connections must lead to the server itself, or to a pooler in session mode.
   */
  readonly listenUrl?: string | undefined
  /**
   * Schema that holds the tables, created when it does not exist; default `matchyard`. At most 53 bytes; PostgreSQL
   * keeps names that begin with `pg_` for itself.
   */
  readonly schema?: string
  /**
   * Maximum time of one statement in milliseconds, including its wait for locks; default 8,000. The server enforces it.
   */
  readonly statementTimeoutMs?: number
  /**
   * Milliseconds in which no byte moves in either direction, after which a connection with a waiting caller is closed.
   * Default: 1,000 more than `statementTimeoutMs`, so that the server itself ends statements that are only slow.
   */
  readonly answerTimeoutMs?: number
  /** Maximum time to open a connection, or to wait for a free one, in milliseconds; default 5,000. */
  readonly connectTimeoutMs?: number
  /**
   * Maximum time in milliseconds that `close` waits for running calls before it ends the connections; default 5,000.
   */
  readonly closeTimeoutMs?: number
  /**
   * Name of this storage's connections in the server's `pg_stat_activity`. A migration finds the connections of other
   * nodes by this name. With `pool`, only the connection for signals has it. Default: the schema's name.
   */
  readonly applicationName?: string
  /** Takes reports of problems with the database. Default: no log. */
  readonly logger?: Logger
}

/** Options of a storage with connections of its own. */
export interface PostgresStorageOptions extends CommonOptions {
  /**
   * URL `postgres://user:password@host:5432/database`, with `sslmode`, `sslrootcert`, `sslcert` and `sslkey` as in
   * libpq.
   */
  readonly url: string
  /** Maximum number of connections for reads and commits, default 10. Signals use one more connection. */
  readonly poolSize?: number
}

/** Options of a storage that uses the connections of the program's pool. */
export interface PostgresPoolOptions extends CommonOptions {
  /**
   * Pool of the program, from the package `pg`, with at least 3 connections; 2 with `listenUrl`. One connection listens
   * for signals until the storage is closed. The storage never ends the pool and leaves nothing in its sessions. Close
   * the storage before the pool.
   */
  readonly pool: PostgresPool
}

type Filled = Required<Omit<CommonOptions, 'logger' | 'listenUrl'>>

export interface Settings extends Filled {
  readonly logger: Logger | undefined
  /** Number of connections for reads and commits. */
  readonly poolSize: number
  /** Pool of the program; undefined for a storage with connections of its own. */
  readonly pool: PostgresPool | undefined
  /** Address of `url`; undefined with `pool`. */
  readonly address: PostgresAddress | undefined
  /** Address of `listenUrl`; undefined when `listenUrl` is not set. */
  readonly listenAddress: PostgresAddress | undefined
}

/** Milliseconds after the statement timeout within which the server's answer must arrive. */
const ANSWER_MARGIN_MS = 1_000

/**
 * Default statement timeout in milliseconds. It is so short that the database is used again within ten seconds after
 * connections fail silently.
 */
const STATEMENT_TIMEOUT_MS = 8_000

const COMMON: NamesOf<CommonOptions> = {
  listenUrl: true,
  schema: true,
  statementTimeoutMs: true,
  answerTimeoutMs: true,
  connectTimeoutMs: true,
  closeTimeoutMs: true,
  applicationName: true,
  logger: true,
}
const WITH_URL: NamesOf<PostgresStorageOptions> = { ...COMMON, url: true, poolSize: true }
const WITH_POOL: NamesOf<PostgresPoolOptions> = { ...COMMON, pool: true }

/** Name of the schema, if the options set none. */
export const DEFAULT_SCHEMA = 'matchyard'

/** Whether the options name a pool. An option whose value is undefined counts as absent. */
const hasPool = (options: PostgresStorageOptions | PostgresPoolOptions): options is PostgresPoolOptions =>
  'pool' in options && options.pool !== undefined

/** Throws TypeError for an unknown option, for an option that does not go with `pool`, and without an address. */
export function requireKnown(options: PostgresStorageOptions | PostgresPoolOptions): void {
  const names = hasPool(options) ? WITH_POOL : WITH_URL
  const given: Readonly<Record<string, unknown>> = { ...options }
  const excluded = ['url', 'poolSize'].find((name) => hasPool(options) && given[name] !== undefined)
  if (excluded !== undefined) {
    throw new TypeError(
      `postgresStorage: ${excluded} does not go with pool, because the pool has its own connections: leave out one of the two`,
    )
  }
  requireKnownOptions('postgresStorage', options, Object.keys(names))
  if (hasPool(options) || typeof options.url === 'string') return
  throw new TypeError('postgresStorage: give url, the address of the database, or pool, a Pool of the package pg')
}

/** Returns the options with their defaults. Throws StorageUnavailable when a URL cannot be read. */
export function withDefaults(options: PostgresStorageOptions | PostgresPoolOptions): Settings {
  const { logger, listenUrl, statementTimeoutMs = STATEMENT_TIMEOUT_MS, schema = DEFAULT_SCHEMA } = options
  requireSchemaName(schema)
  return {
    schema,
    statementTimeoutMs,
    answerTimeoutMs: options.answerTimeoutMs ?? statementTimeoutMs + ANSWER_MARGIN_MS,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    closeTimeoutMs: options.closeTimeoutMs ?? 5_000,
    applicationName: options.applicationName ?? schema,
    logger: logger && unfailing(logger),
    listenAddress: listenUrl === undefined ? undefined : postgresAddress(listenUrl),
    ...(hasPool(options)
      ? { pool: options.pool, address: undefined, poolSize: connectionsOf(options.pool, listenUrl === undefined) }
      : { pool: undefined, address: postgresAddress(options.url), poolSize: options.poolSize ?? 10 }),
  }
}
