import { libraryPath } from '../library'
import { BEGIN_LOG, type LogFrames } from './log-marks'
import { Thread } from './thread'

/**
 * Number of pages in the write-ahead log that starts a checkpoint. Many commits change the same pages, and a checkpoint
 * copies each page into the file once.
 */
export const CHECKPOINT_PAGES = 4_000
/**
 * Maximum milliseconds from the first commit of a log to its checkpoint. If the log file is lost, at most about the
 * commits of this time are lost.
 */
const CHECKPOINT_EVERY_MS = 30_000
/** Maximum number of uncopied pages at which the last copy begins. The writer must wait for the last copy. */
const LAST_PAGES = 500
/**
 * Maximum number of copies that are made while the writer works. If the writer is faster than the disk, the writer then
 * waits for more than `LAST_PAGES` pages.
 */
const COPIES = 3
/** Bytes to which a longer log file is cut: twice the size that a log reaches between two checkpoints. */
const KEPT_LOG_BYTES = 2 * CHECKPOINT_PAGES * 4096
/** Milliseconds for which the last step of a checkpoint waits for another program that reads the file. */
const BUSY_TIMEOUT_MS = 50

/**
 * Source text of the thread that makes checkpoints with its own connection. `copy` runs while the writer works. `turn`
 * runs while no group runs: it copies the remaining pages and begins the next log, whose header SQLite syncs before the
 * first page. `count` returns SQLite's counter of writes by other connections, as this connection sees it.
 */
const SETUP = `({ file, library }) => {
  const Database = require(library)
  const db = new Database(file, { fileMustExist: true, timeout: ${BUSY_TIMEOUT_MS} })
  db.pragma('synchronous = full')
  db.pragma('wal_autocheckpoint = 0')
  db.pragma('journal_size_limit = ${KEPT_LOG_BYTES}')
  const checkpoint = (mode) => db.pragma('wal_checkpoint(' + mode + ')')[0]
  const work = (ask) => {
    if (ask === 'copy') return checkpoint('passive')
    if (ask === 'count') return db.pragma('data_version', { simple: true })
    const { busy } = checkpoint('restart')
    if (busy === 0) db.exec(${JSON.stringify(BEGIN_LOG)})
    return busy === 0
  }
  return { work, close: () => db.close() }
}`

/** Functions of the store that the checkpointer calls. */
export interface CheckpointPorts {
  /** Returns the number of pages in the log, and the number of them that are copied into the file. */
  frames(): LogFrames
  /** Commits the mark that ends the log. */
  endLog(): Promise<unknown>
  /** Commits the mark that begins the next log. */
  beginLog(): Promise<unknown>
  /** Runs `work` while no group runs. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /**
   * Called before `turn`, in which the thread writes to the file. Returns a function to call after `turn`, when it is
   * not yet known whether other programs have written. That function returns a second function, to call when this is
   * known.
   */
  beforeTurn(): () => (othersWrote: boolean) => void
  report(error: unknown): void
}

/**
 * Copies the log into the file without blocking the event loop: when the log has grown to `CHECKPOINT_PAGES`, and at
 * the latest 30 seconds after its first commit. The writer continues during the copies and waits only for the copy of
 * the last pages, so in the long run it cannot write faster than the log is copied. A program that reads the file for a
 * long time can delay a checkpoint, and the log grows until that read ends.
 */
export class Checkpointer {
  #thread: Thread | undefined
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /**
   * Number of pages in the log from which the next checkpoint starts; larger after a checkpoint that was delayed or
   * failed.
   */
  #notBefore = CHECKPOINT_PAGES
  #stopped = false

  constructor(
    private readonly file: string,
    private readonly ports: CheckpointPorts,
  ) {}

  /**
   * Starts a checkpoint if the log is long enough, and otherwise the timer for the next checkpoint. Called after each
   * group that wrote. `frames` is the number of pages in the log, if it is known.
   */
  look(frames?: number): void {
    if (this.#running !== undefined || this.#stopped) return
    this.#timer ??= setTimeout(() => this.run(), CHECKPOINT_EVERY_MS).unref()
    try {
      if ((frames ?? this.ports.frames().log) >= this.#notBefore) void this.run()
    } catch (error) {
      // The group is durable already, so an error here must not reject its operations.
      this.ports.report(error)
    }
  }

  /** Makes one checkpoint; never rejects. */
  run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#stopped) return Promise.resolve()
    this.#running ??= this.#checkpoint()
      .catch((error) => {
        if (!this.#stopped) this.ports.report(error)
        this.#notBefore += CHECKPOINT_PAGES
      })
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  /** Prevents further checkpoints, waits until a running checkpoint ends, and closes the connection. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#thread?.stop()
  }

  /**
   * Prevents further checkpoints and closes the connection. Does not wait for a running checkpoint: the checkpoint may
   * wait for the writer, which waits for this call.
   */
  async breakOff(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#thread?.stop()
  }

  /**
   * Returns a working thread. Replaces a thread that died or could not open the file: without checkpoints the log would
   * grow without limit.
   */
  #livingThread(): Thread {
    if (this.#thread === undefined || this.#thread.isGone) {
      this.#thread = new Thread(SETUP, {
        file: this.file,
        library: libraryPath(),
      })
    }
    return this.#thread
  }

  async #checkpoint(): Promise<void> {
    const thread = this.#livingThread()
    await this.ports.endLog()
    for (let copies = 0; copies < COPIES; copies++) {
      const { log, checkpointed } = await thread.ask<LogFrames>('copy')
      if (log - checkpointed <= LAST_PAGES) break
    }
    const turned = await this.ports.alone(() => this.#turn(thread))
    this.#notBefore = turned ? CHECKPOINT_PAGES : this.ports.frames().log + CHECKPOINT_PAGES
    if (!turned) await this.ports.beginLog()
  }

  async #turn(thread: Thread): Promise<boolean> {
    const before = await thread.ask<number>('count')
    const after = this.ports.beforeTurn()
    try {
      return await thread.ask<boolean>('turn')
    } finally {
      const told = after()
      told((await thread.ask<number>('count')) !== before)
    }
  }
}
