import type { Database } from 'better-sqlite3'
import { isFullDisk } from '../failure'
import { keepReserve } from '../reserve'
import { beginFirstLog } from './log-marks'

/**
 * Milliseconds before the next try to begin a log on a full disk. The time is that long because a try may copy
 * megabytes before it fails.
 */
const TRY_AGAIN_MS = 1_000

interface OpenFile {
  readonly db: Database
  readonly file: string
}

interface LogBeginningPorts {
  /** Returns the time in milliseconds, for the retry on a full disk. */
  now(): number
  report(error: unknown): void
}

/** Begins a new write-ahead log each time the store opens a file. Writes are refused until the log has begun. */
export class LogBeginning {
  /**
   * Whether a sync has failed. Committed data may then be missing on the disk until the whole log is copied into the
   * file.
   */
  #inDoubt = false
  /** Whether this opening of the file has begun its log. */
  #isBegun = false
  /** Earliest time, in milliseconds, of the next try to begin the log. */
  #tryAgainAt = 0
  /** Error of the last try to begin the log. */
  #refusal: unknown

  constructor(private readonly ports: LogBeginningPorts) {}

  /**
   * Begins the log of a file that was just opened. On a full disk this method only stores the error, so that reads
   * work; the first write that finds room on the disk begins the log. Throws all other errors. After a failed sync, it
   * throws the error of a full disk too.
   */
  beginWhereThereIsRoom(opened: OpenFile): void {
    this.#isBegun = false
    try {
      this.#begin(opened)
    } catch (error) {
      // After a failed sync, no caller may read the data before the data is known to be on the disk.
      if (this.#inDoubt || !isFullDisk(error)) throw error
      this.ports.report(error)
    }
  }

  /**
   * Begins the log before a group is written, if the log has not begun. Throws the error of a failed try. For one
   * second after a failed try, throws the same error without another try.
   */
  requireBegun(opened: OpenFile): void {
    if (this.#isBegun) return
    if (this.ports.now() < this.#tryAgainAt) throw this.#refusal
    this.#begin(opened)
  }

  /** Records that a sync failed. */
  doubt(): void {
    this.#inDoubt = true
  }

  #begin({ db, file }: OpenFile): void {
    this.#tryAgainAt = this.ports.now() + TRY_AGAIN_MS
    try {
      beginFirstLog(db, file, this.#inDoubt)
      // From now on a thread syncs the log after each group. SQLite itself would sync the log in the main thread, and
      // block the event loop.
      db.pragma('synchronous = normal')
    } catch (error) {
      this.#refusal = error
      throw error
    }
    this.#inDoubt = false
    this.#isBegun = true
    keepReserve(file)
  }
}
