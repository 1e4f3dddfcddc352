import { Worker } from 'node:worker_threads'
import { SqliteDatabase } from '../library'

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
}

type Reply = { readonly answer: never } | { readonly message: string; readonly code: string }

/**
 * Returns the source text that a thread runs. `setup` is the source text of a function that takes the data and returns
 * `{ work, close }`. The thread cannot load a module file: no path leads to the same file from a bundle, CommonJS, ESM
 * and the sources.
 */
const programOf = (setup: string) => `
const { parentPort, workerData } = require('node:worker_threads')
const { work, close } = (${setup})(workerData)
parentPort.on('message', ({ ask, stop }) => {
  if (stop) {
    close()
    // Ends only the thread. Deno has no \`parentPort.close\`.
    process.exit()
  }
  try {
    parentPort.postMessage({ answer: work(ask) })
  } catch (error) {
    parentPort.postMessage({ message: String(error.message), code: String(error.code) })
  }
})`

/**
 * Thread that does work which waits for the disk, so that the event loop is not blocked. The thread does one task at a
 * time, in the order of the calls of `ask`. It keeps the process alive only while a task is pending. A failed task
 * rejects with a SqliteError that has the code of the error.
 */
export class Thread {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  readonly #gone: Promise<void>
  #failure: Error | undefined

  constructor(setup: string, data: unknown) {
    // The new thread gets no options of this process, because, for example, a loader of TypeScript sources would delay
    // its start.
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

  /** Whether the thread failed during setup or died; the caller must then start another thread. */
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

  /** Ends the thread after it has completed all tasks and closed its files. */
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
