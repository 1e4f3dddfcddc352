import { Client, type ClientBase, type ClientConfig } from 'pg'
import type { Settings } from '../options'
import { Doorway } from './doorway'
import { History } from './history'
import { pooledClient } from './pooled-client'
import { prepareSession } from './session'
import { SilenceWatch, streamOf } from './silence-watch'

/**
 * Milliseconds of silence after which a migration's connection is closed. A migration sends nothing while it works or
 * waits for another node.
 */
const MIGRATION_SILENCE_MS = 600_000
/**
 * Milliseconds of silence after which the connection for signals is closed. Its statements are answered at once, so its
 * limit is shorter.
 */
const SESSION_SILENCE_MS = 5_000

/**
 * All connections of a storage handle (the pool's connections and the connection for signals), from their creation to
 * their end. A connection of the program's pool counts while the handle has it. A connection that is silent while a caller waits for an answer on it is destroyed. All idle connections
 * are destroyed at the same time: they use the same network, and the next caller would wait as long.
 */
export class Connections {
  readonly history = new History()
  readonly doorway = new Doorway()
  readonly statements: SilenceWatch
  readonly session: SilenceWatch
  readonly migrations: SilenceWatch
  readonly #all = new Set<ClientBase>()
  readonly #prepared = new WeakSet<ClientBase>()
  #isCut = false

  constructor(private readonly settings: Settings) {
    const onSilent = () => this.#onSilent()
    this.statements = new SilenceWatch(settings.answerTimeoutMs, onSilent)
    this.session = new SilenceWatch(Math.min(SESSION_SILENCE_MS, settings.answerTimeoutMs), onSilent)
    this.migrations = new SilenceWatch(Math.max(MIGRATION_SILENCE_MS, settings.answerTimeoutMs), onSilent)
    this.history.onReset(() =>
      settings.logger?.warn('the database is another server or has gone back; what was read of it is read anew'),
    )
  }

  /** The driver's client class; each client is registered here when it is created. */
  get Client(): typeof Client {
    const connections = this
    return class extends Client {
      constructor(config?: string | ClientConfig) {
        super(config)
        connections.add(this)
        this.once('end', () => connections.remove(this))
      }
    }
  }

  add(client: ClientBase): void {
    this.#all.add(client)
  }

  remove(client: ClientBase): void {
    this.#all.delete(client)
  }

  /** The class of the clients in the pool. */
  get PoolClient(): typeof Client {
    return this.#hasPooler ? pooledClient(this.Client, this.settings) : this.Client
  }

  /** Prepares a connection of the pool that was just opened. */
  async preparePooled(client: ClientBase): Promise<void> {
    // Behind a pooler each transaction may run in another server process, so this connection cannot learn its server.
    // The connection for signals does.
    if (this.#hasPooler) this.#isReady(client)
    else await this.prepare(client)
  }

  /** Learns the server of a connection of the program's pool, and changes nothing in its session. */
  async prepareBorrowed(client: ClientBase): Promise<void> {
    if (!this.#hasPooler) await this.statements.during(client, () => this.history.learn(client))
    this.#isReady(client)
  }

  /** Prepares a new connection that leads to the server without a pooler. */
  async prepare(client: ClientBase): Promise<void> {
    await this.statements.during(client, async () => {
      await Promise.all([prepareSession(client, this.settings), this.history.learn(client)])
    })
    this.#isReady(client)
  }

  /** Whether a session lasts as long as a transaction: behind a pooler, and on the connections of the program's pool. */
  get isPerTransaction(): boolean {
    return this.#hasPooler || this.settings.pool !== undefined
  }

  /** Records that an idle connection was lost. It is replaced when a connection is needed again. */
  lostIdle(error: Error): void {
    this.lost()
    this.settings.logger?.debug('an idle database connection ended', { error: error.message })
  }

  /** Records that an open connection was lost: the next connection may lead to another server. */
  lost(): void {
    this.history.doubt()
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Destroys all connections at once. Connections that are opened later are destroyed too. */
  cut(): void {
    this.#isCut = true
    // Without an error: the program's pool would report the error of a connection that was just returned.
    for (const client of this.#all) streamOf(client).destroy()
  }

  get #hasPooler(): boolean {
    return this.settings.listenAddress !== undefined
  }

  #isReady(client: ClientBase): void {
    if (this.#isCut) streamOf(client).destroy()
    this.#prepared.add(client)
    this.doorway.open()
  }

  #onSilent(): void {
    this.settings.logger?.warn('a database connection fell silent and was given up')
    this.lost()
    this.doorway.shut()
    for (const client of this.#all) {
      if (!this.#prepared.has(client) || this.#isWaitedFor(client)) continue
      streamOf(client).destroy(new Error('another connection fell silent'))
    }
  }

  #isWaitedFor(client: ClientBase): boolean {
    return [this.statements, this.session, this.migrations].some((watch) => watch.isWatching(client))
  }
}
