import type { ClientBase } from 'pg'
import type { PostgresAddress } from '../address'
import type { Settings } from '../options'

/** Text is what the server sends; only whole numbers are made into something else (none of ours passes 2^53). */
const INTEGERS = new Set([20, 21, 23])
const types = { getTypeParser: (oid: number) => (INTEGERS.has(oid) ? Number : (text: string) => text) }

/** How long a statement may take, and a node that hangs between two statements may keep its locks. */
export const timeLimits = ({ statementTimeoutMs }: Settings) => ({
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
})

/** What a connection to the server itself is opened with. */
export const connectionConfig = (settings: Settings) => ({
  ...configOf(settings, settings.listenAddress ?? settings.address),
  ...timeLimits(settings),
})

/** What the pool's connections are opened with; a pooler takes no settings of a session. */
export const poolConfig = (settings: Settings) =>
  settings.listenAddress === undefined ? connectionConfig(settings) : plainConfig(settings)

/** Without settings of a session. */
export const plainConfig = (settings: Settings) => configOf(settings, settings.address)

const configOf = (settings: Settings, address: PostgresAddress) => ({
  ...address,
  application_name: settings.applicationName,
  connectionTimeoutMillis: settings.connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // Statements are sent without waiting for the answers before them.
  pipeline: true,
  types,
})

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Every statement has an index made for it, and is planned once per connection, perhaps while its tables are still empty: a
 * plan that reads such a table whole would be kept when there are millions of rows in it. So these plans are taken away.
 * Just-in-time compilation pays for reports, not for us, and takes the cost of a forbidden plan for a reason to start.
 */
export const PLANNING = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' } as const

/**
 * A node whose network fell silent opens new connections, and the old ones would be kept by the server for the two hours that are
 * its default, until it has none to spare. In seconds; sockets of the same machine pass it over.
 */
const KEEP_ALIVE = ['set tcp_keepalives_idle = 10', 'set tcp_keepalives_interval = 5', 'set tcp_keepalives_count = 4']

/** What every connection to the server itself begins with. */
export const prepareSession = async (client: ClientBase, { schema }: Settings): Promise<void> => {
  const planning = Object.entries(PLANNING).map(([name, value]) => `set ${name} = ${value}`)
  await client.query([`set search_path to ${quoted(schema)}`, ...planning, ...KEEP_ALIVE].join('; '))
}
