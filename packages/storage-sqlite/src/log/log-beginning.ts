import type { Database } from 'better-sqlite3'
import { fullDisk, isFullDisk } from '../failure'
import { keepReserve } from '../reserve'
import { beginFirstLog } from './log-marks'

/** How soon beginning a log is tried again where there was no room for it: it may copy megabytes before it finds out. */
const TRY_AGAIN_MS = 1_000

interface OpenFile {
  readonly db: Database
  readonly file: string
}

interface LogBeginningPorts {
  /** Milliseconds, of the clock by which a full disk is tried again. */
  now(): number
  report(error: unknown): void
}

/** Begins the log of each opening of a file; until it has begun, writes are refused. */
export class LogBeginning {
  /** A sync has failed: what the file holds is not known to be on the disk until all of the log was copied into it. */
  #inDoubt = false
  /** The log of this opening has begun. */
  #isBegun = false
  /** When beginning it may be tried again, where the disk was full. */
  #tryAgainAt = 0

  constructor(
    private readonly path: string,
    private readonly ports: LogBeginningPorts,
  ) {}

  /** For a file that was just opened. A full disk keeps nobody from reading what is there: the log is begun by the first write that finds room. */
  beginWhereThereIsRoom(opened: OpenFile): void {
    this.#isBegun = false
    try {
      this.#begin(opened)
    } catch (error) {
      // What is in doubt is not to be read before it is known to be on the disk.
      if (this.#inDoubt || !isFullDisk(error)) throw error
      this.ports.report(error)
    }
  }

  /** Before a group is written. */
  requireBegun(opened: OpenFile): void {
    if (this.#isBegun) return
    if (this.ports.now() < this.#tryAgainAt) throw fullDisk(this.path)
    this.#begin(opened)
  }

  /** After a sync that failed. */
  doubt(): void {
    this.#inDoubt = true
  }

  #begin({ db, file }: OpenFile): void {
    this.#tryAgainAt = this.ports.now() + TRY_AGAIN_MS
    beginFirstLog(db, file, this.#inDoubt)
    // From here on the log is synced after each group: here SQLite would do it while the event loop stands still.
    db.pragma('synchronous = normal')
    this.#inDoubt = false
    this.#isBegun = true
    keepReserve(file)
  }
}
