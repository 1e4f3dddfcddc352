import { libraryPath } from '../library'
import { BEGIN_LOG, type LogFrames } from './log-marks'
import { Thread } from './thread'

/** Pages of the log after which it is copied into the file: the pages that every commit touches are then copied once for many. */
export const CHECKPOINT_PAGES = 4_000
/** What is in the log alone is at most about this old when the log is lost with no copy of it. */
const CHECKPOINT_EVERY_MS = 30_000
/** So few pages are copied while the writer waits. */
const LAST_PAGES = 500
/** Copies beside a writer that is faster than the disk, before it is made to wait. */
const COPIES = 3
/** A log that has once been long is cut to this: twice what it comes to between two checkpoints. */
const KEPT_LOG_BYTES = 2 * CHECKPOINT_PAGES * 4096
/** How long the last step waits for another program that reads the file. */
const BUSY_TIMEOUT_MS = 50

/**
 * The thread of the checkpoints, with a connection of its own. `copy` goes on beside the writer; `turn`, which it makes alone, copies
 * the rest and begins the next log, whose header SQLite syncs before its first page; `count` is SQLite's count of what other
 * connections wrote, as this one sees it.
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
  /** Returns the number of pages in the log, and how many of them are copied into the file. */
  frames(): LogFrames
  /** Commits the mark that ends the log, or that begins the next one. */
  endLog(): Promise<unknown>
  beginLog(): Promise<unknown>
  /** Runs while no group does. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /**
   * Around the turn, in which this thread writes to the file: answers what to call when it is over, before it is known whether
   * other programs wrote meanwhile, which answers what to call when it is.
   */
  beforeTurn(): () => (othersWrote: boolean) => void
  report(error: unknown): void
}

/**
 * Copies the log into the file, away from the event loop: when it has grown, and at the latest some seconds after its first
 * commit. The writer goes on meanwhile and waits only for the last pages, so it can never outrun the copying for good; a
 * program that reads the file for long can hold it up, and the log grows until it has ended.
 */
export class Checkpointer {
  #thread: Thread | undefined
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Not again before the log is this long, after one that was held up. */
  #notBefore = CHECKPOINT_PAGES
  #stopped = false

  constructor(
    private readonly file: string,
    private readonly ports: CheckpointPorts,
  ) {}

  /** After a group that has written; `frames`, the pages of the log, where they are known. */
  look(frames?: number): void {
    if (this.#running !== undefined || this.#stopped) return
    this.#timer ??= setTimeout(() => this.run(), CHECKPOINT_EVERY_MS).unref()
    try {
      if ((frames ?? this.ports.frames().log) >= this.#notBefore) void this.run()
    } catch (error) {
      // The group was durable before: this must not look like its failure.
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

  /** No more of them; the one that runs may come to its end. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#thread?.stop()
  }

  /** No more of them, the one that runs least of all: it may wait for a writer that waits for this. Its connection is closed. */
  async breakOff(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#thread?.stop()
  }

  /** One that died, or could not open the file, is replaced: without checkpoints the log would grow for good. */
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
