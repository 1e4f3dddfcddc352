import { StorageUnavailable, unfailing } from '@matchyard/core'
import { type Connection, openConnection } from './connection'
import { asUnavailable } from './failure'
import { GroupCommit, type Transaction } from './group-commit'
import { migrate, requireCurrentSchema } from './migrate'
import type { SqliteStorageOptions } from './options'
import { prepareStatements, type Statements } from './statements/index'

/**
 * The file, opened at the first call and again at the next one when that failed. Every failure of SQLite leaves here as
 * StorageUnavailable.
 */
export class Store {
  #connection: Connection | undefined
  #prepared: { readonly statements: Statements; readonly transaction: Transaction } | undefined
  #closed = false
  /** SQLite's own count of what other connections wrote. */
  #dataVersion: number | undefined
  readonly #writer: GroupCommit

  constructor(
    private readonly options: SqliteStorageOptions,
    private readonly open = openConnection,
  ) {
    this.#writer = new GroupCommit(
      () => this.#ready().transaction,
      (error) => this.#report(error),
    )
  }

  /** Runs now, on what is durable: groups run in one piece, so there is never anything else to be seen. */
  async read<T>(run: (statements: Statements) => T): Promise<T> {
    try {
      return run(this.#ready().statements)
    } catch (error) {
      throw this.#report(error)
    }
  }

  /** Runs in the next group's transaction; answered when that is durable. */
  async write<T>(run: (statements: Statements) => T): Promise<T> {
    this.#refuseClosed()
    return this.#writer.submit(() => run(this.#ready().statements))
  }

  async migrate(): Promise<void> {
    try {
      this.#refuseClosed()
      migrate(this.#connect().db, this.options.path)
    } catch (error) {
      throw this.#report(error)
    }
  }

  /** Whether another program has written to the file since this was last asked. */
  othersWrote(): boolean {
    if (this.#closed || this.#connection === undefined) return false
    const before = this.#dataVersion
    try {
      this.#dataVersion = Number(this.#connection.db.pragma('data_version', { simple: true }))
    } catch {
      // The next call that matters says what is wrong.
      return false
    }
    return before !== undefined && before !== this.#dataVersion
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#writer.drain()
    this.#closed = true
    this.#connection?.close()
  }

  #refuseClosed(): void {
    if (this.#closed) throw new StorageUnavailable(`SQLite file ${this.options.path} is closed`)
  }

  #connect(): Connection {
    this.#connection ??= this.open(this.options.path, this.options.synchronous ?? 'full', this.options.beside)
    return this.#connection
  }

  #ready() {
    this.#refuseClosed()
    if (this.#prepared !== undefined) return this.#prepared
    const { db } = this.#connect()
    requireCurrentSchema(db, this.options.path)
    const begin = db.prepare('begin immediate')
    const commit = db.prepare('commit')
    const rollback = db.prepare('rollback')
    this.#prepared = {
      statements: prepareStatements(db),
      transaction: {
        begin: () => begin.run(),
        commit: () => commit.run(),
        // A full disk makes SQLite roll back by itself.
        rollback: () => db.inTransaction && rollback.run(),
      },
    }
    return this.#prepared
  }

  #report(error: unknown): unknown {
    const reason = asUnavailable(error, this.options.path)
    if (reason instanceof StorageUnavailable && !this.#closed) unfailing(this.options.logger).error(reason.message)
    return reason
  }
}
