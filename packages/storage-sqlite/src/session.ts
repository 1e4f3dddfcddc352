import type { Group } from './commit/group'
import type { Transaction } from './commit/group-commit'
import type { Connection } from './connection'
import { checkpoint } from './log/log-marks'
import { type LogSync, openLogSync, syncNow } from './log/log-sync'
import { Snapshot } from './read/snapshot'
import { prepareStatements, type Statements } from './statements/index'

export interface SessionOptions {
  /** Whether a group is durable only after a sync of the log. */
  readonly syncs: boolean
  /**
   * State that the commits of a group share: the cache of rows, and the sums that are written at the end of the group.
   */
  readonly group: Group
  readonly openLogSync?: typeof openLogSync
  /**
   * Whether a service may run on the file. Each group then begins with a sync of the log, so that the service's earlier
   * commits are on the disk before the group's commits.
   */
  readonly isBeside?: boolean
}

/**
 * Connections and statements of a store while its file is open. One connection writes; a second connection reads while
 * a group is being synced.
 */
export class Session {
  /** Statements of the writing connection, for operations that run in a group. */
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

  /** Statements for reads; they see durable data only. */
  get reading(): Statements {
    return this.#snapshot?.pinned ? this.#snapshot.statements : this.statements
  }

  /**
   * Returns the transaction in which groups run. `onWritten` is called after each group that changed a row, with the
   * number of pages in the log if it is known. `onDoubt` is called and awaited after a failed sync, because it is
   * unknown whether the group is durable.
   */
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
        // On a full disk, SQLite has already rolled the transaction back.
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

  /**
   * Returns the number of pages in the log. Returns undefined if SQLite fails here, because such a failure must not
   * fail the group.
   */
  #frames(): number | undefined {
    try {
      return checkpoint(this.connection.db, 'noop').log
    } catch {
      return undefined
    }
  }

  /**
   * Closes the reading connection and the thread of syncs. Must run before the writing connection closes: the last
   * connection, if it can write, copies the log into the file and removes the log.
   */
  async close(): Promise<void> {
    this.#snapshot?.close()
    await this.#log?.stop()
  }
}
