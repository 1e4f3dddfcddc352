import type { Writable } from 'node:stream'
import { StorageUnavailable } from '@matchyard/core'
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg'
import { asUnavailable, isConnectionLoss, isStalePlan } from './failure'
import { migrate, requireCurrentSchema } from './migrate'
import type { Settings } from './options'
import type { Statement } from './statements/statement'

/** Text is what the server sends; only whole numbers are made into something else (none of ours passes 2^53). */
const INTEGERS = new Set([20, 21, 23])
const types = { getTypeParser: (oid: number) => (INTEGERS.has(oid) ? Number : (text: string) => text) }

/** What both the pool and the session for signals connect with. */
export const connectionConfig = (settings: Settings) => ({
  connectionString: settings.url,
  application_name: settings.applicationName,
  connectionTimeoutMillis: settings.connectTimeoutMs,
  statement_timeout: settings.statementTimeoutMs,
  // A node that hangs between two statements must not keep its locks.
  idle_in_transaction_session_timeout: settings.statementTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // Statements are sent without waiting for the answers before them.
  pipeline: true,
  types,
})

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Every statement has an index made for it, and is planned once per connection, perhaps while its tables are still empty: a
 * plan that reads such a table whole would be kept when there are millions of rows in it. So these plans are taken away.
 * Just-in-time compilation pays for reports, not for us, and takes the cost of a forbidden plan for a reason to start.
 */
const PLANNING = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'].map((name) => `set ${name} = off`)

/** What every connection begins with. */
export const prepareSession = async (client: ClientBase, { schema }: Settings): Promise<void> => {
  await client.query([`set search_path to ${quoted(schema)}`, ...PLANNING].join('; '))
}

export interface Answer<Row> {
  readonly rows: Row[]
  readonly count: number
}

/** Sends a statement on a connection; failures are the driver's own. */
export async function send<Row>(
  client: ClientBase,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Answer<Row>> {
  const { rows, rowCount } = await client.query({ name, text, values: [...values] })
  return { rows: rows as Row[], count: rowCount ?? 0 }
}

/** Runs a function that sends several statements, and hands them to the network in one piece. */
export function together<T>(client: ClientBase, sendAll: () => T): T {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection
  stream.cork()
  try {
    return sendAll()
  } finally {
    stream.uncork()
  }
}

/** The pool of connections. Failures leave here as StorageUnavailable where they are the database's. */
export class Database {
  readonly #pool: Pool
  #closing = false
  #ended: Promise<void> | undefined
  #schemaIsCurrent: Promise<void> | undefined

  constructor(readonly settings: Settings) {
    const config: PoolConfig & { onConnect: (client: ClientBase) => Promise<void> } = {
      ...connectionConfig(settings),
      max: settings.poolSize,
      onConnect: (client) => prepareSession(client, settings),
    }
    this.#pool = new Pool(config)
    // A connection that is cut while nobody uses it is replaced at the next use.
    this.#pool.on('error', (error) =>
      settings.logger?.debug('an idle database connection ended', { error: error.message }),
    )
  }

  /** One statement, which changes nothing, or nothing that hurts when it is done twice: a lost connection is tried again once. */
  read<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.#guard(async () => {
      this.refuseClosed()
      await this.ready()
      try {
        return await this.#once(statement, values)
      } catch (error) {
        if (!isConnectionLoss(error) && !isStalePlan(error)) throw error
        return await this.#once(statement, values)
      }
    })
  }

  /** One statement that is a transaction by itself. */
  write<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Answer<Row>> {
    return this.#guard(async () => {
      this.refuseClosed()
      await this.ready()
      return this.#once(statement, values)
    })
  }

  /** A connection for one transaction; `broken` says that it must not be used again. Failures inside are the body's to sort out. */
  async withConnection<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#guard(() => this.#pool.connect())
    let broken = false
    // Without a listener a connection that is cut would end the process.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    try {
      return await body(client)
    } catch (error) {
      broken ||= isConnectionLoss(error) || isStalePlan(error)
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  /** Resolves once the schema has been seen to be the one that this code knows. */
  async ready(): Promise<void> {
    this.#schemaIsCurrent ??= this.#guard(() =>
      this.withConnection((client) => requireCurrentSchema(client, this.settings.schema)),
    )
    try {
      await this.#schemaIsCurrent
    } catch (error) {
      this.#schemaIsCurrent = undefined
      throw error
    }
  }

  /** Brings the schema up to date; safe from many nodes at once. */
  async migrate(): Promise<void> {
    await this.#guard(async () => {
      this.refuseClosed()
      await this.withConnection((client) => migrate(client, this.settings.schema))
    })
  }

  refuseClosed(): void {
    if (this.#closing) throw new StorageUnavailable('PostgreSQL: the storage is closed')
  }

  /** Refuses calls from now on; what is under way goes on. */
  refuseNew(): void {
    this.#closing = true
  }

  close(): Promise<void> {
    this.#closing = true
    this.#ended ??= this.#pool.end()
    return this.#ended
  }

  async #once<Row>({ name, text }: Statement<Row>, values: readonly unknown[]): Promise<Answer<Row>> {
    return this.withConnection((client) => send<Row>(client, { name, text }, values))
  }

  async #guard<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw this.report(error)
    }
  }

  report(error: unknown): unknown {
    const reason = asUnavailable(error)
    if (reason instanceof StorageUnavailable && !this.#closing) this.settings.logger?.error(reason.message)
    return reason
  }
}
