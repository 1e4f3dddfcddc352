import { StorageUnavailable, unfailing } from '@matchyard/core/ports'
import { checkpointerOf } from './checkpoints'
import type { Group } from './commit/group'
import { GroupCommit, type Transaction } from './commit/group-commit'
import { GroupTally } from './commit/group-tally'
import type { SubmitOptions } from './commit/waiting-operations'
import { type Connection, isOwner, openConnection } from './connection'
import { asUnavailable } from './failure'
import type { Checkpointer } from './log/checkpointer'
import { LogBeginning } from './log/log-beginning'
import { beginLogUnlessHeld } from './log/log-marks'
import type { openLogSync } from './log/log-sync'
import { migrate, requireCurrentSchema } from './migrations/migrate'
import type { SqliteStorageOptions } from './options'
import { KnownRows } from './read/known-rows'
import { OtherPrograms } from './read/other-programs'
import { Session } from './session'
import type { Statements } from './statements/index'

/** Parts of the store that tests replace. */
export interface StoreParts {
  readonly open?: typeof openConnection
  readonly openLogSync?: typeof openLogSync
  /** Returns the time in milliseconds, for the retry on a full disk. */
  readonly now?: () => number
}

interface Opened {
  readonly session: Session
  readonly transaction: Transaction
  readonly checkpointer: Checkpointer | undefined
}

/**
 * The database file with its connections and its writer. The first call opens the file; if that fails, the next call
 * opens it again. Every refusal of SQLite is thrown as StorageUnavailable.
 */
export class Store {
  #connection: Connection | undefined
  #opened: Opened | undefined
  #closing: Promise<void> | undefined
  #closed = false
  /** Promise that is pending after a failed sync until all connections of the file are closed. */
  #leaving: Promise<void> | undefined
  readonly #known = new KnownRows(() => this.#others.look(this.#connection))
  readonly #others = new OtherPrograms(() => this.#known.clear())
  readonly #group: Group = { known: this.#known, tally: new GroupTally() }
  readonly #writer: GroupCommit
  readonly #log: LogBeginning

  constructor(
    private readonly options: SqliteStorageOptions,
    private readonly parts: StoreParts = {},
  ) {
    this.#writer = new GroupCommit(() => this.#writable().transaction, this.#report)
    this.#log = new LogBeginning({
      now: parts.now ?? (() => performance.now()),
      report: this.#report,
    })
  }

  /**
   * Runs a read at once, on durable data. After a failed sync, the read waits until the file is closed, and opens it
   * again.
   */
  async read<T>(run: (statements: Statements, known: KnownRows) => T): Promise<T> {
    try {
      if (this.#leaving !== undefined) await this.#leaving
      return run(this.#ready().session.reading, this.#known)
    } catch (error) {
      throw this.#report(error)
    }
  }

  /**
   * Runs a function in the transaction of the next group. Resolves with the function's result when the transaction is
   * durable.
   */
  async write<T>(run: (statements: Statements, group: Group) => T, options?: SubmitOptions): Promise<T> {
    if (this.#closing !== undefined) throw this.#isClosed()
    return this.#writer.submit(() => run(this.#ready().session.statements, this.#group), options)
  }

  async migrate(): Promise<void> {
    try {
      await this.#leaving
      this.#refuseClosed()
      migrate(this.#connect().db, this.options.path)
      this.#ready()
    } catch (error) {
      throw this.#report(error)
    }
  }

  /** Copies the log into the file without blocking the event loop. */
  async checkpoint(): Promise<void> {
    await this.#opened?.checkpointer?.run()
  }

  /** Whether another program has written to the file since the last call. */
  othersWrote(): boolean {
    return !this.#closed && this.#others.haveWritten(this.#connection)
  }

  /** Completes all earlier calls, copies the log into the file, and closes the file. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#opened?.checkpointer?.stop()
    await this.#writer.drain()
    this.#closed = true
    await this.#leave()
  }

  /** Closes all threads and connections; the connection that writes closes last. */
  async #leave(): Promise<void> {
    const opened = this.#opened
    const connection = this.#connection
    this.#opened = undefined
    this.#connection = undefined
    this.#known.discard()
    this.#known.clear()
    await opened?.checkpointer?.breakOff()
    await opened?.session.close()
    connection?.close()
  }

  #isClosed = () => new StorageUnavailable(`SQLite file ${this.options.path} is closed`)

  #refuseClosed(): void {
    if (this.#closed) throw this.#isClosed()
  }

  #connect(): Connection {
    this.#connection ??= (this.parts.open ?? openConnection)(this.options)
    return this.#connection
  }

  #ready(): Opened {
    this.#refuseClosed()
    this.#opened ??= this.#open()
    return this.#opened
  }

  /**
   * Returns the open database for a write. Throws when the database's write-ahead log has not begun and cannot be begun
   * now.
   */
  #writable(): Opened {
    const opened = this.#ready()
    if (isOwner(this.options)) this.#log.requireBegun(this.#connect())
    return opened
  }

  #open(): Opened {
    const { db, file } = this.#connect()
    requireCurrentSchema(db, this.options.path)
    const owner = isOwner(this.options)
    if (owner) this.#log.beginWhereThereIsRoom(this.#connect())
    else if (this.options.beside === true) beginLogUnlessHeld(db, file)
    const session = new Session(this.#connect(), {
      ...this.parts,
      group: this.#group,
      syncs: owner && this.options.synchronous !== 'normal',
      isBeside: this.options.beside === true,
    })
    const checkpointer = owner ? this.#checkpointer() : undefined
    const transaction = session.transaction(
      (frames) => checkpointer?.look(frames),
      () => this.#doubt(),
    )
    return { session, transaction, checkpointer }
  }

  #checkpointer(): Checkpointer {
    return checkpointerOf(this.#connect(), {
      writer: this.#writer,
      others: this.#others,
      current: () => this.#connection,
      report: this.#report,
    })
  }

  /**
   * Closes everything after a failed sync. The operating system may hold data in memory that is not on the disk, and
   * report success at the next sync. The next call therefore opens the file again and copies the whole log into it,
   * which writes the data a second time.
   */
  #doubt(): Promise<void> {
    this.#log.doubt()
    this.#others.doubt()
    this.#leaving = this.#leave().finally(() => {
      this.#leaving = undefined
    })
    return this.#leaving
  }

  readonly #report = (error: unknown): unknown => {
    const reason = asUnavailable(error, this.options.path)
    if (reason instanceof StorageUnavailable && !this.#closed) unfailing(this.options.logger).error(reason.message)
    return reason
  }
}
