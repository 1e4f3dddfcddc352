import { setTimeout as wait } from 'node:timers/promises'
import { StorageUnavailable } from '@matchyard/core/ports'
import type { ClientBase, PoolClient } from 'pg'
import type { Connections } from './connections/connections'
import type { ConnectionPool } from './connections/pool'
import type { SilenceWatch } from './connections/silence-watch'
import { asUnavailable, isConnectionLoss, isStalePlan } from './failure'
import { migrate, requireCurrentSchema } from './migrate'
import type { Settings } from './options'
import { type Answer, send } from './send'
import type { Statement } from './statements/statement'

/** The statements on the pool's connections. Every failure of the database is thrown as StorageUnavailable. */
export class Database {
  #closing = false
  /** Connections on which the schema was checked: this code may run on it. */
  #knowsSchema = new WeakSet<PoolClient>()

  constructor(
    readonly settings: Settings,
    private readonly connections: Connections,
    private readonly pool: ConnectionPool,
  ) {
    connections.history.onReset(() => {
      this.#knowsSchema = new WeakSet()
    })
  }

  /**
   * Runs one statement that changes nothing, or that may run twice without harm. Retries the statement once after a
   * lost connection or a stale plan.
   */
  read<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.readOn((client) => send<Row>(client, statement, values))
  }

  /**
   * Runs a read of several statements on one connection. Repeats the whole read once after a lost connection or a stale
   * plan.
   */
  readOn<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#guard(async () => {
      this.refuseClosed()
      try {
        return await this.withConnection(body)
      } catch (error) {
        if (!isConnectionLoss(error) && !isStalePlan(error)) throw error
        return await this.withConnection(body)
      }
    })
  }

  /** Runs one statement that is a transaction by itself. */
  write<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Answer<Row>> {
    return this.#guard(async () => {
      this.refuseClosed()
      return this.withConnection((client) => send<Row>(client, statement, values))
    })
  }

  /**
   * Checks that the database answers. Rejects with StorageUnavailable when no answer arrives within the connect
   * timeout.
   */
  ping<Row>(statement: Statement<Row>): Promise<void> {
    return this.#guard(async () => {
      const late = new AbortController()
      const answer = this.read(statement).finally(() => late.abort())
      const deadline = wait(this.settings.connectTimeoutMs, undefined, late).then(
        () => {
          throw new StorageUnavailable('PostgreSQL: the server does not answer')
        },
        () => {},
      )
      await Promise.race([answer, deadline.then(() => answer)])
    })
  }

  /**
   * Runs `body` with a connection for one transaction. Errors of `body` are passed on unchanged, and so is the refusal
   * of a schema on which this code may not run. Each new connection checks the schema, because a migration ends the
   * connections of nodes whose code is too old.
   */
  withConnection<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#onConnection(async (client) => {
      if (!this.#knowsSchema.has(client)) {
        await requireCurrentSchema(client, this.settings.schema)
        this.#knowsSchema.add(client)
      }
      return body(client)
    }, this.connections.statements)
  }

  async #onConnection<T>(body: (client: PoolClient) => Promise<T>, watch: SilenceWatch): Promise<T> {
    const client = await this.#guard(() => this.#connect())
    let broken = false
    // Without a listener for errors, a lost connection would end the process.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    const unwatch = watch.begin(client)
    try {
      return await body(client)
    } catch (error) {
      const isLost = isConnectionLoss(error)
      if (isLost) this.connections.lost()
      broken ||= isLost || isStalePlan(error)
      throw error
    } finally {
      unwatch()
      client.off('error', onError)
      client.release(broken)
    }
  }

  /**
   * Runs `body` on a connection whose session no other client shares: a connection of the pool, or a session of its own
   * when the sessions of the pool last as long as a transaction.
   */
  async #onSession<T>(body: (client: ClientBase) => Promise<T>, watch: SilenceWatch): Promise<T> {
    if (!this.connections.isPerTransaction) return this.#onConnection(body, watch)
    this.refuseClosed()
    const session = await this.pool.openSession()
    try {
      return await watch.during(session.client, () => body(session.client))
    } finally {
      await session.end()
    }
  }

  /**
   * Migrates the schema to the newest version. Many nodes may do this at the same time. Another node's migration may
   * end this connection, so the migration is retried once after a lost connection. First a quick check looks for
   * missing migrations, which usually finds none. The check has the short silence limit of statements, so that a silent
   * server is not mistaken for a server that runs a migration.
   */
  async migrate(): Promise<void> {
    const { schema } = this.settings
    const { statements } = this.connections
    const current = this.#onSession((client) => requireCurrentSchema(client, schema), statements)
    const isDone = await current.then(
      () => true,
      () => false,
    )
    if (isDone) return
    const run = () => this.#onSession((client) => migrate(client, this.settings), this.connections.migrations)
    await this.#guard(async () => {
      this.refuseClosed()
      try {
        await run()
      } catch (error) {
        if (!isConnectionLoss(error)) throw error
        await run()
      }
    })
  }

  refuseClosed(): void {
    if (this.#closing) throw closed()
  }

  /** Refuses new calls; running calls continue. */
  refuseNew(): void {
    this.#closing = true
  }

  close(): Promise<void> {
    this.#closing = true
    return this.pool.close()
  }

  #connect(): Promise<PoolClient> {
    const { doorway, isCut } = this.connections
    if (isCut) throw closed()
    return doorway.enter(
      () => this.pool.connect(),
      () => this.pool.opens,
    )
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

const closed = () => new StorageUnavailable('PostgreSQL: the storage is closed')
