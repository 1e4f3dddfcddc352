import { type Logger, unfailing } from '@matchyard/core'

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database`, with `sslmode` and the like as libpq has them. */
  readonly url: string
  /** The schema that holds the tables, made where it is missing; default `matchyard`. */
  readonly schema?: string
  /** Connections for reads and commits, default 10; signals have one more of their own. */
  readonly poolSize?: number
  /** How long one statement may take, its wait for locks included, in milliseconds; default 10,000. */
  readonly statementTimeoutMs?: number
  /** How long opening a connection, or waiting for a free one, may take, in milliseconds; default 5,000. */
  readonly connectTimeoutMs?: number
  /** As the server's `pg_stat_activity` shows it; default `matchyard`. */
  readonly applicationName?: string
  readonly logger?: Logger
}

export type Settings = Required<Omit<PostgresStorageOptions, 'logger'>> & { readonly logger: Logger | undefined }

export const withDefaults = ({ logger, ...options }: PostgresStorageOptions): Settings => ({
  schema: 'matchyard',
  poolSize: 10,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  applicationName: 'matchyard',
  ...options,
  logger: logger && unfailing(logger),
})
