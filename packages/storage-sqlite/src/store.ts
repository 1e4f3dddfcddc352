import { StorageUnavailable, unfailing } from '@matchyard/core/ports'
import type { Group } from './commit/group'
import { GroupCommit, type SubmitOptions, type Transaction } from './commit/group-commit'
import { GroupTally } from './commit/group-tally'
import { type Connection, isOwner, openConnection } from './connection'
import { asUnavailable, fullDisk, isFullDisk } from './failure'
import { Checkpointer } from './log/checkpointer'
import { BEGIN_LOG, beginFirstLog, beginLogUnlessHeld, checkpoint, END_LOG } from './log/log-marks'
import type { openLogSync } from './log/log-sync'
import { migrate, requireCurrentSchema } from './migrations/migrate'
import type { SqliteStorageOptions } from './options'
import { KnownRows } from './read/known-rows'
import { keepReserve } from './reserve'
import { Session } from './session'
import type { Statements } from './statements/index'

/** How soon beginning a log is tried again where there was no room for it: it may copy megabytes before it finds out. */
const TRY_AGAIN_MS = 1_000

/** What tests put something else in the place of. */
export interface StoreParts {
  readonly open?: typeof openConnection
  readonly openLogSync?: typeof openLogSync
  /** Milliseconds, of the clock by which a full disk is tried again. */
  readonly now?: () => number
}

interface Opened {
  readonly session: Session
  readonly transaction: Transaction
  readonly checkpointer: Checkpointer | undefined
}

/**
 * The file, opened at the first call and again at the next one when that failed. Every failure of SQLite leaves here as
 * StorageUnavailable.
 */
export class Store {
  #connection: Connection | undefined
  #opened: Opened | undefined
  #closing: Promise<void> | undefined
  #closed = false
  /** After a sync that failed: until all that was open is closed. */
  #leaving: Promise<void> | undefined
  /** A sync has failed: what the file holds is not known to be on the disk until all of the log was copied into it. */
  #inDoubt = false
  /** The log of this opening has begun: until then writes are refused. */
  #isBegun = false
  /** When beginning it may be tried again, where the disk was full. */
  #tryAgainAt = 0
  /** SQLite's own count of what other connections wrote. */
  #dataVersion: number | undefined
  #othersWrote = false
  readonly #known = new KnownRows(() => this.#lookAtOthers())
  readonly #group: Group = { known: this.#known, tally: new GroupTally() }
  readonly #writer: GroupCommit

  constructor(
    private readonly options: SqliteStorageOptions,
    private readonly parts: StoreParts = {},
  ) {
    this.#writer = new GroupCommit(
      () => this.#writable().transaction,
      (error) => this.#report(error),
    )
  }

  /** Runs now, on what is durable. */
  async read<T>(run: (statements: Statements, known: KnownRows) => T): Promise<T> {
    try {
      if (this.#leaving !== undefined) await this.#leaving
      return run(this.#ready().session.reading, this.#known)
    } catch (error) {
      throw this.#report(error)
    }
  }

  /** Runs in the next group's transaction; answered when that is durable. */
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

  /** Copies the log into the file, away from the event loop. */
  async checkpoint(): Promise<void> {
    await this.#opened?.checkpointer?.run()
  }

  /** Whether another program has written to the file since this was last asked. */
  othersWrote(): boolean {
    if (this.#closed) return false
    try {
      this.#lookAtOthers()
    } catch {
      // The next call that matters says what is wrong.
      return false
    }
    const wrote = this.#othersWrote
    this.#othersWrote = false
    return wrote
  }

  /** Answers what was called before, and leaves a file that needs no log. */
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

  /** Closes all that is open, the connection that writes last. */
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

  /** What is open, with a log that writes may go to. */
  #writable(): Opened {
    const opened = this.#ready()
    if (isOwner(this.options) && !this.#isBegun) {
      if (this.#now() < this.#tryAgainAt) throw fullDisk(this.options.path)
      this.#beginLog(this.#connect())
    }
    return opened
  }

  #now = () => (this.parts.now ?? (() => performance.now()))()

  #beginLog({ db, file }: Connection): void {
    this.#tryAgainAt = this.#now() + TRY_AGAIN_MS
    beginFirstLog(db, file, this.#inDoubt)
    // From here on the log is synced after each group: here SQLite would do it while the event loop stands still.
    db.pragma('synchronous = normal')
    this.#inDoubt = false
    this.#isBegun = true
    keepReserve(file)
  }

  /** A full disk keeps nobody from reading what is there: the log is begun by the first write that finds room. */
  #beginLogWhereThereIsRoom(connection: Connection): void {
    try {
      this.#beginLog(connection)
    } catch (error) {
      // What is in doubt is not to be read before it is known to be on the disk.
      if (this.#inDoubt || !isFullDisk(error)) throw error
      this.#report(error)
    }
  }

  #open(): Opened {
    const { db, file } = this.#connect()
    requireCurrentSchema(db, this.options.path)
    const owner = isOwner(this.options)
    this.#isBegun = false
    if (owner) {
      this.#beginLogWhereThereIsRoom(this.#connect())
    } else if (this.options.beside === true) beginLogUnlessHeld(db, file)
    const session = new Session(this.#connect(), {
      ...this.parts,
      group: this.#group,
      syncs: owner && this.options.synchronous !== 'normal',
      isBeside: this.options.beside === true,
    })
    const checkpointer = owner ? this.#checkpointerOf(this.#connect()) : undefined
    const transaction = session.transaction(
      (frames) => checkpointer?.look(frames),
      () => this.#doubt(),
    )
    return { session, transaction, checkpointer }
  }

  #checkpointerOf({ db, file }: Connection): Checkpointer {
    // Not in a file that was opened anew meanwhile: its log has begun.
    const mark = (sql: string) =>
      this.#writer.submit(() => void (this.#connection?.db === db && db.exec(sql)), { urgent: true })
    return new Checkpointer(file, {
      frames: () => checkpoint(db, 'noop'),
      endLog: () => mark(END_LOG),
      beginLog: () => mark(BEGIN_LOG),
      alone: (work) => this.#writer.alone(work),
      beforeTurn: () => {
        this.#lookAtOthers()
        return () => {
          // What was written until now is the checkpointer's own, unless it is about to find that it is not.
          this.#dataVersion = this.#connection?.dataVersion()
          return (othersWrote) => {
            if (othersWrote) this.#forget()
          }
        }
      },
      report: (error) => this.#report(error),
    })
  }

  /** Where another program has written since this was last called, what is known of rows is forgotten. */
  #lookAtOthers(): void {
    if (this.#connection === undefined) return
    const before = this.#dataVersion
    this.#dataVersion = this.#connection.dataVersion()
    if (before !== undefined && before !== this.#dataVersion) this.#forget()
  }

  #forget(): void {
    this.#othersWrote = true
    this.#known.clear()
  }

  /**
   * After a sync that failed the system may hold in memory what the disk does not, and say at the next sync that all is well. So
   * everything is closed, and only then the next call opens the file anew and copies all of its log, which writes it a second time.
   */
  #doubt(): Promise<void> {
    this.#inDoubt = true
    // What the group changed may come back with the file, and nobody was told of it.
    this.#othersWrote = true
    this.#dataVersion = undefined
    this.#leaving = this.#leave().finally(() => {
      this.#leaving = undefined
    })
    return this.#leaving
  }

  #report(error: unknown): unknown {
    const reason = asUnavailable(error, this.options.path)
    if (reason instanceof StorageUnavailable && !this.#closed) unfailing(this.options.logger).error(reason.message)
    return reason
  }
}
