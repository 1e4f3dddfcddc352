import { Worker } from 'node:worker_threads'
import { SqliteDatabase } from '../library'

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
}

type Reply = { readonly answer: never } | { readonly message: string; readonly code: string }

/**
 * The text that a thread runs: `setup` is the text of a function that is given the data and answers `{ work, close }`. A text and
 * not a module, because there is no one file that a bundle, CommonJS, ESM and the sources would all find.
 */
const programOf = (setup: string) => `
const { parentPort, workerData } = require('node:worker_threads')
const { work, close } = (${setup})(workerData)
parentPort.on('message', ({ ask, stop }) => {
  if (stop) {
    close()
    parentPort.close()
    return
  }
  try {
    parentPort.postMessage({ answer: work(ask) })
  } catch (error) {
    parentPort.postMessage({ message: String(error.message), code: String(error.code) })
  }
})`

/**
 * Does what waits for the disk away from the event loop: one thing at a time, in the order in which it is asked. It keeps the
 * process alive only while it owes an answer. What fails in it rejects with SQLite's code.
 */
export class Thread {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  readonly #gone: Promise<void>
  #failure: Error | undefined

  constructor(setup: string, data: unknown) {
    // The options of this process (a loader of sources) would only make it slow to start.
    this.#worker = new Worker(programOf(setup), { eval: true, workerData: data, execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => this.#answer(reply))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#gone = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail(new Error('the thread has ended'))
        resolve()
      })
    })
  }

  /** Whether the thread failed at its setup or died; the caller must then start another thread. */
  get isGone(): boolean {
    return this.#failure !== undefined
  }

  ask<T>(ask: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure)
        return
      }
      if (this.#waiting.length === 0) this.#worker.ref()
      this.#waiting.push({ resolve: resolve as Waiting['resolve'], reject })
      this.#worker.postMessage({ ask })
    })
  }

  /** Ends the thread after it has answered all questions and closed its files. */
  async stop(): Promise<void> {
    this.#worker.ref()
    this.#worker.postMessage({ stop: true })
    await this.#gone
  }

  #answer(reply: Reply): void {
    const waiting = this.#waiting.shift()
    if (this.#waiting.length === 0) this.#worker.unref()
    if ('answer' in reply) waiting?.resolve(reply.answer)
    else waiting?.reject(new SqliteDatabase.SqliteError(reply.message, reply.code))
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#failure ??= new SqliteDatabase.SqliteError(reason, 'SQLITE_IOERR')
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}
