import { Client, type ClientBase, type ClientConfig } from 'pg'
import { MIGRATIONS } from '../migrations/index'
import type { Settings } from '../options'
import { Doorway } from './doorway'
import { History } from './history'
import { pooledClient } from './pooled-client'
import { prepareSession } from './session'
import { SilenceWatch, streamOf } from './silence-watch'

/** A migration, or the wait for another node's, says nothing while it works; in milliseconds. */
const MIGRATION_SILENCE_MS = 600_000
/** What is asked of the session for signals is answered at once, so that its silence is believed sooner. */
const SESSION_SILENCE_MS = 5_000

/**
 * Every connection of a handle, the pool's and the one for signals, from its first packet to its last. One that is silent while
 * somebody waits for it is destroyed, and with it those that nobody is using: they went through the same network, and whoever took one
 * of them next would wait as long.
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

  /** The driver's client, known here from its making. */
  get Client(): typeof Client {
    const all = this.#all
    return class extends Client {
      constructor(config?: string | ClientConfig) {
        super(config)
        all.add(this)
        this.once('end', () => all.delete(this))
      }
    }
  }

  /** That of the pool. */
  get PoolClient(): typeof Client {
    return this.#hasPooler ? pooledClient(this.Client, this.settings, MIGRATIONS.length) : this.Client
  }

  /** Readies a connection of the pool that was just opened. */
  async preparePooled(client: ClientBase): Promise<void> {
    // What is behind a pooler is another process each time; which server it is the session for signals knows.
    if (this.#hasPooler) this.#isReady(client)
    else await this.prepare(client)
  }

  /** Readies a connection to the server itself that was just opened. */
  async prepare(client: ClientBase): Promise<void> {
    await this.statements.during(client, async () => {
      await Promise.all([prepareSession(client, this.settings), this.history.learn(client)])
    })
    this.#isReady(client)
  }

  /** An open connection was lost: what it led to may be another one now. */
  lost(): void {
    this.history.doubt()
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Destroys every connection, at once and for good. */
  cut(): void {
    this.#isCut = true
    for (const client of this.#all) streamOf(client).destroy(new Error('the storage is closed'))
  }

  get #hasPooler(): boolean {
    return this.settings.listenAddress !== undefined
  }

  #isReady(client: ClientBase): void {
    if (this.#isCut) streamOf(client).destroy(new Error('the storage is closed'))
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
