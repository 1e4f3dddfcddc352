import type { ClientBase, CustomTypesConfig } from 'pg'
import type { PostgresAddress } from '../address'
import type { Settings } from '../options'
import { quoted } from '../quoted'

/**
 * Type ids of integer columns. Only integers are converted to numbers; all other values stay text. No number in the
 * tables exceeds 2^53.
 */
const INTEGERS = new Set([20, 21, 23])
export const types: CustomTypesConfig = {
  getTypeParser: (oid: number) => (INTEGERS.has(oid) ? Number : (text: string) => text),
}

/**
 * Returns two time limits: for a statement, and for a pause between two statements of a transaction. The second limit
 * releases the locks of a node that has stalled.
 */
export const timeLimits = ({ statementTimeoutMs }: Settings) => ({
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
})

/** Returns the configuration of connections to the server itself. */
export const connectionConfig = (settings: Settings) => ({
  ...configOf(settings, settings.listenAddress ?? settings.address),
  ...timeLimits(settings),
})

/**
 * Returns the configuration of the pool's connections. A pooler accepts no session settings, so they are left out
 * behind a pooler.
 */
export const poolConfig = (settings: Settings) =>
  settings.listenAddress === undefined ? connectionConfig(settings) : plainConfig(settings)

/** Returns the configuration of a connection without session settings. */
export const plainConfig = (settings: Settings) => configOf(settings, settings.address)

const configOf = (settings: Settings, address: PostgresAddress | undefined) => ({
  ...address,
  application_name: settings.applicationName,
  connectionTimeoutMillis: settings.connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // Statements are sent at once, without waiting for the answers to earlier statements.
  pipeline: true,
  types,
})

/**
 * Planner settings. Every statement has an index made for it. A statement is planned once per connection, possibly
 * while its tables are still empty. A plan that scans a whole table would then be kept when the table has millions of
 * rows, so such plans are disabled. Just-in-time compilation only helps reports, and the high estimated cost of a
 * disabled plan would start it.
 */
export const PLANNING = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const

/**
 * Keep-alive settings of the server, in seconds. A node whose network stops carrying data opens new connections. By
 * default the server would keep the old connections for two hours, and could run out of connections. The settings have
 * no effect on connections through a socket file.
 */
const KEEP_ALIVE = ['set tcp_keepalives_idle = 10', 'set tcp_keepalives_interval = 5', 'set tcp_keepalives_count = 4']

/** Sets the session settings of a new connection to the server itself. */
export const prepareSession = async (client: ClientBase, { schema }: Settings): Promise<void> => {
  const planning = Object.entries(PLANNING).map(([name, value]) => `set ${name} = ${value}`)
  await client.query([`set search_path to ${quoted(schema)}`, ...planning, ...KEEP_ALIVE].join('; '))
}
