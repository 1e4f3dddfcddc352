import { StorageUnavailable } from '@matchyard/core/ports'
import type { PoolClient } from 'pg'
import { isConnectionLoss } from '../failure'
import type { Settings } from '../options'
import type { PostgresPool } from '../program-pool'
import { borrowedClient, borrowedSession } from './borrowed-client'
import type { Connections } from './connections'
import { type ConnectionPool, ownSession, type Session } from './pool'
import { Requests } from './requests'

/**
 * The pool of the program that embeds the storage. The storage takes a connection for one transaction at a time and
 * leaves no setting, statement or lock on it. A connection that was a session of the storage is not returned to the
 * pool but ended, and the pool opens another one when it needs one. The storage never ends the pool.
 */
export class BorrowedPool implements ConnectionPool {
  readonly #requests: Requests
  /** The storage's form of each connection of the pool that it has used. */
  readonly #known = new WeakMap<PoolClient, PoolClient>()
  readonly #onError = (error: Error) => this.connections.lostIdle(error)
  #borrowed = 0
  #whenReleased: (() => void) | undefined
  #closed: Promise<void> | undefined

  constructor(
    private readonly pool: PostgresPool,
    private readonly settings: Settings,
    private readonly connections: Connections,
  ) {
    this.#requests = new Requests(pool, settings.poolSize, settings.connectTimeoutMs)
    pool.on('error', this.#onError)
  }

  get opens(): boolean {
    const { idleCount, totalCount, options, ending } = this.pool
    return !ending && idleCount === 0 && totalCount < (options.max ?? Number.POSITIVE_INFINITY)
  }

  async connect(): Promise<PoolClient> {
    const client = await this.#take()
    const known = this.#known.get(client)
    if (known !== undefined) return this.#hold(known)
    const borrowed = this.#hold(
      borrowedClient(client, this.settings, (isBroken) => this.#release(client, borrowed, isBroken)),
    )
    // The pool listens for errors only on its idle connections. Without a listener, a lost connection would end the process.
    client.on('error', ignore)
    try {
      await this.connections.prepareBorrowed(borrowed)
    } catch (error) {
      borrowed.release(isConnectionLoss(error))
      throw error
    } finally {
      client.off('error', ignore)
    }
    this.#known.set(client, borrowed)
    return borrowed
  }

  async openSession(): Promise<Session> {
    if (this.settings.listenAddress !== undefined) return ownSession(this.settings, this.connections)
    const client = await this.#take()
    let isEnded = false
    const end = async () => {
      if (!isEnded) session.release(true)
      isEnded = true
    }
    const session = this.#hold(borrowedSession(client, (isBroken) => this.#release(client, session, isBroken)))
    client.on('error', ignore)
    const { statements } = this.connections
    try {
      // The program may have made temporary tables, which would hide tables of the storage.
      await statements.during(session, () => session.query('discard temp'))
      await this.connections.prepare(session)
      // A migration, and the correction of a clock, find the other nodes by this name.
      const naming = { text: NAME, values: [this.settings.applicationName] }
      await statements.during(session, () => session.query(naming))
    } catch (error) {
      await end()
      throw error
    }
    return { client: session, end }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.pool.off('error', this.#onError)
    if (this.#borrowed === 0) return
    await new Promise<void>((resolve) => {
      this.#whenReleased = resolve
    })
  }

  async #take(): Promise<PoolClient> {
    if (this.pool.ending) throw new StorageUnavailable(ENDED)
    this.#borrowed++
    try {
      return await this.#requests.take()
    } catch (error) {
      this.#returned()
      throw error
    }
  }

  #hold(client: PoolClient): PoolClient {
    this.connections.add(client)
    return client
  }

  #release(client: PoolClient, held: PoolClient, isBroken?: boolean): void {
    this.connections.remove(held)
    client.release(isBroken)
    this.#returned()
  }

  #returned(): void {
    this.#borrowed--
    if (this.#borrowed === 0) this.#whenReleased?.()
  }
}

/** Listener for errors of a connection: the statement that waits for an answer on it reports the failure. */
const ignore = () => {}

const NAME = "select set_config('application_name', $1, false)"

const ENDED = "PostgreSQL: the program has ended its pool: call matchyard.stop() before the pool's end()"
