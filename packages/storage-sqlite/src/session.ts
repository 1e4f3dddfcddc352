import type { Group } from './commit/group'
import type { Transaction } from './commit/group-commit'
import type { Connection } from './connection'
import { checkpoint } from './log/log-marks'
import { type LogSync, openLogSync, syncNow } from './log/log-sync'
import { Snapshot } from './read/snapshot'
import { prepareStatements, type Statements } from './statements/index'

export interface SessionOptions {
  /** Whether a group is durable only when the log was synced after it. */
  readonly syncs: boolean
  /** What is told of each group when readers come to see it, and what its commits write at its end. */
  readonly group: Group
  readonly openLogSync?: typeof openLogSync
  /** Whether a service may be syncing the log: what it wrote is to be on the disk before anything comes after it. */
  readonly isBeside?: boolean
}

/** What a store works with while its file is open and well: one writer, and a reader beside it while a group is being synced. */
export class Session {
  /** Of the writer, for what runs in a group. */
  readonly statements: Statements
  readonly #snapshot: Snapshot | undefined
  readonly #log: LogSync | undefined

  constructor(
    private readonly connection: Connection,
    private readonly options: SessionOptions,
  ) {
    this.statements = prepareStatements(connection.db)
    if (!options.syncs) return
    this.#snapshot = new Snapshot(connection.reader())
    this.#log = (options.openLogSync ?? openLogSync)(connection.file)
  }

  /** For what only reads: it sees what is durable. */
  get reading(): Statements {
    return this.#snapshot?.pinned ? this.#snapshot.statements : this.statements
  }

  /** `onWritten` is told after each group that has changed anything, with the pages of the log where they are known, `onDoubt`, which is waited for, when nobody can say whether one is durable. */
  transaction(onWritten: (frames?: number) => void, onDoubt: () => Promise<void>): Transaction {
    const { connection } = this
    const { db } = connection
    const { isBeside = false } = this.options
    const { known, tally } = this.options.group
    const { statements } = this
    const snapshot = this.#snapshot
    const begin = db.prepare('begin immediate')
    const commit = db.prepare('commit')
    const rollback = db.prepare('rollback')
    const changes = db.prepare<[], number>('select total_changes()').pluck()
    let before: number | undefined = 0
    let wrote = false
    return {
      begin() {
        snapshot?.pin()
        begin.run()
        if (isBeside) syncNow(connection.file)
        known.hold()
        tally.clear()
        before = changes.get()
      },
      commit() {
        tally.write(statements)
        wrote = changes.get() !== before
        commit.run()
      },
      rollback() {
        snapshot?.unpin()
        known.discard()
        // A full disk makes SQLite roll back by itself.
        if (db.inTransaction) rollback.run()
      },
      settle: () => {
        if (wrote && this.#log !== undefined) return this.#settle(this.#log, onWritten, onDoubt)
        snapshot?.unpin()
        known.publish()
        if (wrote) onWritten()
        return undefined
      },
    }
  }

  async #settle(log: LogSync, onWritten: (frames?: number) => void, onDoubt: () => Promise<void>): Promise<void> {
    const frames = this.#frames()
    try {
      await log.sync(frames)
      this.#snapshot?.unpin()
      this.options.group.known.publish()
    } catch (error) {
      await onDoubt()
      throw error
    }
    onWritten(frames)
  }

  /** Pages in the log; undefined where SQLite does not tell, which is no reason to take a group for lost. */
  #frames(): number | undefined {
    try {
      return checkpoint(this.connection.db, 'noop').log
    } catch {
      return undefined
    }
  }

  /** The last connection to close copies the log into the file, and removes it. */
  async close(): Promise<void> {
    this.#snapshot?.close()
    await this.#log?.stop()
  }
}
