import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveRefused } from '../refusal'
import type { ArchiveFailure, ArchiveMessage, ArchiveTask, ArchiveThreadData } from './messages'

/**
 * Megabytes of heap. An archive's directory has at most 20,000 short rows, and data is read in pieces: a larger need is
 * a bug.
 */
const HEAP_MB = 256
/** Milliseconds after which an idle thread is ended; the next archive starts a new thread. */
export const IDLE_MS = 30_000

interface Underway {
  readonly log: BuildLog
  resolve(verdict: ArchiveVerdict | undefined): void
  reject(error: unknown): void
  failure?: unknown
}

/** One thread beside the event loop. It starts with the first archive and processes one archive at a time. */
export class ArchiveThread {
  private worker: Worker | undefined
  private underway: Underway | undefined
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly priority: number) {}

  get isBusy(): boolean {
    return this.underway !== undefined
  }

  /**
   * Processes an archive; call it only when the thread is not busy. Rejects with the error of the work: ArchiveRefused,
   * or an error of the disk with its code.
   */
  run(task: ArchiveTask, log: BuildLog): Promise<ArchiveVerdict | undefined> {
    clearTimeout(this.idle)
    return new Promise((resolve, reject) => {
      this.underway = { log, resolve, reject }
      this.worker ??= this.begin()
      this.worker.ref()
      this.worker.postMessage(task)
    })
  }

  private begin(): Worker {
    const worker = startWorker({ priority: this.priority })
    worker.on('message', (message: ArchiveMessage) => {
      if (message.kind === 'log') this.tell(...message.line)
      else if (message.kind === 'done') this.end(({ resolve }) => resolve(message.verdict))
      else this.end(({ reject }) => reject(errorOf(message.failure)))
    })
    worker.on('error', (error) => this.lost(worker, error))
    worker.on('exit', (code) => this.lost(worker, new Error(`the thread that reads archives ended with code ${code}`)))
    return worker
  }

  /**
   * Passes a line to the log. An error of the listener becomes the error of the work, as in a call in the same thread.
   */
  private tell(...line: Parameters<BuildLog>): void {
    try {
      if (this.underway?.failure === undefined) this.underway?.log(...line)
    } catch (error) {
      if (this.underway !== undefined) this.underway.failure = error
    }
  }

  private end(settle: (underway: Underway) => void): void {
    const { underway } = this
    this.underway = undefined
    // An idle thread must not keep the service from ending.
    this.worker?.unref()
    this.idle = setTimeout(() => this.dismiss(), IDLE_MS).unref()
    if (underway?.failure !== undefined) underway.reject(underway.failure)
    else if (underway !== undefined) settle(underway)
  }

  /**
   * Forgets the thread before ending it: the end takes time, and an archive that arrives meanwhile needs a new thread.
   */
  private dismiss(): void {
    const { worker } = this
    this.worker = undefined
    void worker?.terminate()
  }

  private lost(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    clearTimeout(this.idle)
    this.worker = undefined
    const { underway } = this
    this.underway = undefined
    underway?.reject(error)
  }
}

function errorOf({ message, code, refused }: ArchiveFailure): Error {
  if (refused) return new ArchiveRefused(message)
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

/**
 * Starts the worker from the built file; when this module runs from its TypeScript source, loads the source through
 * tsx.
 */
function startWorker(workerData: ArchiveThreadData): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./archive-worker.js', import.meta.url), { resourceLimits, workerData })
  }
  const loader = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const source = fileURLToPath(new URL('./archive-worker.ts', import.meta.url))
  const code = `require(${JSON.stringify(loader)}).require(${JSON.stringify(source)}, ${JSON.stringify(loader)})`
  return new Worker(code, { eval: true, resourceLimits, workerData })
}
