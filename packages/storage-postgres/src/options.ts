import { type Logger, type NamesOf, requireKnownOptions, unfailing } from '@matchyard/core/ports'
import { type PostgresAddress, postgresAddress } from './address'

export interface PostgresStorageOptions {
  /**
   * URL `postgres://user:password@host:5432/database`, with `sslmode`, `sslrootcert`, `sslcert` and `sslkey` as in
   * libpq.
   */
  readonly url: string
  /**
   * URL of the same database that does not lead through a pooler in transaction mode. Required when `url` leads to such
   * a pooler (PgBouncer): signals and migrations need a session that no other client shares. Default: none; then `url`
   * must lead to the server itself, or to a pooler in session mode.
   */
  readonly listenUrl?: string | undefined
  /** Schema that holds the tables, created when it does not exist; default `matchyard`. */
  readonly schema?: string
  /** Maximum number of connections for reads and commits, default 10. Signals use one more connection. */
  readonly poolSize?: number
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
   * nodes by this name. Default: the schema's name.
   */
  readonly applicationName?: string
  readonly logger?: Logger
}

export type Settings = Required<Omit<PostgresStorageOptions, 'logger' | 'url' | 'listenUrl'>> & {
  readonly logger: Logger | undefined
  /** Address of `url`. */
  readonly address: PostgresAddress
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

const OPTIONS: NamesOf<PostgresStorageOptions> = {
  url: true,
  listenUrl: true,
  schema: true,
  poolSize: true,
  statementTimeoutMs: true,
  answerTimeoutMs: true,
  connectTimeoutMs: true,
  closeTimeoutMs: true,
  applicationName: true,
  logger: true,
}

/** Name of the schema, if the options set none. */
export const DEFAULT_SCHEMA = 'matchyard'

/** Throws TypeError for an unknown option. */
export function requireKnown(options: PostgresStorageOptions): void {
  requireKnownOptions('postgresStorage', options, Object.keys(OPTIONS))
}

/** Returns the options with their defaults. Throws StorageUnavailable when a URL cannot be read. */
export const withDefaults = ({ logger, url, listenUrl, ...options }: PostgresStorageOptions): Settings => ({
  schema: DEFAULT_SCHEMA,
  poolSize: 10,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  answerTimeoutMs: (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) + ANSWER_MARGIN_MS,
  connectTimeoutMs: 5_000,
  closeTimeoutMs: 5_000,
  applicationName: options.schema ?? DEFAULT_SCHEMA,
  ...options,
  address: postgresAddress(url),
  listenAddress: listenUrl === undefined ? undefined : postgresAddress(listenUrl),
  logger: logger && unfailing(logger),
})
