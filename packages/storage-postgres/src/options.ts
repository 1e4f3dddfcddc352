import { type Logger, type NamesOf, requireKnownOptions, unfailing } from '@matchyard/core/ports'
import { type PostgresAddress, postgresAddress } from './address'

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database`, with `sslmode`, `sslrootcert`, `sslcert` and `sslkey` as libpq has them. */
  readonly url: string
  /**
   * The same database without a pooler in transaction mode, where `url` leads to one (PgBouncer): for what needs a session of its own, which is
   * signals and migrations. Default: `url` leads to the server itself, or to a pooler in session mode.
   */
  readonly listenUrl?: string | undefined
  /** The schema that holds the tables, made where it is missing; default `matchyard`. */
  readonly schema?: string
  /** Connections for reads and commits, default 10; signals have one more of their own. */
  readonly poolSize?: number
  /** How long one statement may take, its wait for locks included, in milliseconds; default 8,000. The server keeps this one. */
  readonly statementTimeoutMs?: number
  /**
   * How long a connection that somebody waits for may give no sign of life, in milliseconds, before it is given up; default a second more
   * than a statement may take, so that the server has the first word on what is only slow.
   */
  readonly answerTimeoutMs?: number
  /** How long opening a connection, or waiting for a free one, may take, in milliseconds; default 5,000. */
  readonly connectTimeoutMs?: number
  /** How long `close` waits for what is under way, in milliseconds, before it ends the connections; default 5,000. */
  readonly closeTimeoutMs?: number
  /** As the server's `pg_stat_activity` shows it, and by which a migration finds the other nodes; default the schema's name. */
  readonly applicationName?: string
  readonly logger?: Logger
}

export type Settings = Required<Omit<PostgresStorageOptions, 'logger' | 'url' | 'listenUrl'>> & {
  readonly logger: Logger | undefined
  /** Where `url` leads. */
  readonly address: PostgresAddress
  /** Where `listenUrl` leads; undefined without a pooler. */
  readonly listenAddress: PostgresAddress | undefined
}

/** What the answer to a statement may take beyond the statement, in milliseconds. */
const ANSWER_MARGIN_MS = 1_000

/** With it a database whose connections died without a word is at work again within ten seconds. */
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

/** Throws TypeError for an option that nobody knows. */
export function requireKnown(options: PostgresStorageOptions): void {
  requireKnownOptions('postgresStorage', options, Object.keys(OPTIONS))
}

/** Throws StorageUnavailable for a URL that cannot be read. */
export const withDefaults = ({ logger, url, listenUrl, ...options }: PostgresStorageOptions): Settings => ({
  schema: 'matchyard',
  poolSize: 10,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  answerTimeoutMs: (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) + ANSWER_MARGIN_MS,
  connectTimeoutMs: 5_000,
  closeTimeoutMs: 5_000,
  applicationName: options.schema ?? 'matchyard',
  ...options,
  address: postgresAddress(url),
  listenAddress: listenUrl === undefined ? undefined : postgresAddress(listenUrl),
  logger: logger && unfailing(logger),
})
