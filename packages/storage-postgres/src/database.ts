import { setTimeout as wait } from 'node:timers/promises'
import { StorageUnavailable } from '@matchyard/core/ports'
import { type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Connections } from './connections/connections'
import { connectionConfig, poolConfig } from './connections/session'
import type { SilenceWatch } from './connections/silence-watch'
import { asUnavailable, isConnectionLoss, isStalePlan } from './failure'
import { migrate, requireCurrentSchema } from './migrate'
import type { Settings } from './options'
import { type Answer, send } from './send'
import type { Statement } from './statements/statement'

/** The pool of connections. Failures leave here as StorageUnavailable where they are the database's. */
export class Database {
  readonly #pool: Pool
  #closing = false
  #ended: Promise<void> | undefined
  /** Connections that have found the schema to be one that this code may run on. */
  #knowsSchema = new WeakSet<PoolClient>()

  constructor(
    readonly settings: Settings,
    private readonly connections: Connections,
  ) {
    const config: PoolConfig & { onConnect: (client: ClientBase) => Promise<void> } = {
      ...poolConfig(settings),
      Client: connections.PoolClient,
      max: settings.poolSize,
      onConnect: (client) => connections.preparePooled(client),
    }
    this.#pool = new Pool(config)
    // A connection that is cut while nobody uses it is replaced at the next use.
    this.#pool.on('error', (error) => {
      connections.lost()
      settings.logger?.debug('an idle database connection ended', { error: error.message })
    })
    connections.history.onReset(() => {
      this.#knowsSchema = new WeakSet()
    })
  }

  /** One statement, which changes nothing, or nothing that hurts when it is done twice: a lost connection is tried again once. */
  read<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return this.readOn((client) => send<Row>(client, statement, values))
  }

  /** Reading that takes several statements on one connection; on a lost one all of it is done again, once. */
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

  /** One statement that is a transaction by itself. */
  write<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Answer<Row>> {
    return this.#guard(async () => {
      this.refuseClosed()
      return this.withConnection((client) => send<Row>(client, statement, values))
    })
  }

  /** Whether the database answers now; refused when it has not by the time in which a connection is opened. */
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
   * A connection for one transaction. Failures inside are the body's to sort out, and so is, before the body, a schema that this code may
   * not run on: each new connection asks, for a migration ends those of nodes that it leaves behind.
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
    // Without a listener a connection that is cut would end the process.
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

  /** What needs a session: one of the pool's, or, where the pool leads to a pooler, one of its own. */
  async #onSession<T>(body: (client: ClientBase) => Promise<T>, watch: SilenceWatch): Promise<T> {
    if (this.settings.listenAddress === undefined) return this.#onConnection(body, watch)
    this.refuseClosed()
    const client = new this.connections.Client(connectionConfig(this.settings) as ClientConfig)
    // A connection that breaks is told of by the statement that waits for it.
    client.on('error', () => {})
    try {
      await client.connect()
      await this.connections.prepare(client)
      return await watch.during(client, () => body(client))
    } finally {
      await client.end().catch(() => {})
    }
  }

  /**
   * Brings the schema up to date; safe from many nodes at once. One that does the same may have ended this connection first. Mostly there is
   * nothing to do, and that is answered at once: a silence is then not taken for a migration that works.
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

  /** Refuses calls from now on; what is under way goes on. */
  refuseNew(): void {
    this.#closing = true
  }

  close(): Promise<void> {
    this.#closing = true
    this.#ended ??= this.#pool.end()
    return this.#ended
  }

  #connect(): Promise<PoolClient> {
    const { doorway, isCut } = this.connections
    if (isCut) throw closed()
    // Nobody waits where one is free.
    if (this.#pool.idleCount > 0 && !doorway.isOut) return this.#pool.connect()
    return doorway.enter(
      () => this.#pool.connect(),
      () => this.#pool.idleCount === 0 && this.#pool.totalCount < this.settings.poolSize,
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
