import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveRefused } from '../refusal'
import type { ArchiveFailure, ArchiveMessage, ArchiveTask, ArchiveThreadData } from './messages'

/**
 * Heap of the thread in megabytes. An archive's directory has at most 20,000 short rows, and data are read in pieces,
 * so only a bug would need more.
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

/**
 * One thread that reads archives, so that the event loop does not. The first archive starts the thread, and the thread
 * processes one archive at a time.
 */
export class ArchiveThread {
  private worker: Worker | undefined
  private underway: Underway | undefined
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly priority: number) {}

  get isBusy(): boolean {
    return this.underway !== undefined
  }

  /**
   * Processes an archive; call it only when the thread is not busy. Rejects with the error that the thread reports:
   * ArchiveRefused, or an error of the disk with its code.
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
   * Passes a line to the log. If the log throws an error, the work fails with this error, as it would in the same
   * thread.
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
    // An idle thread must not prevent the process from ending.
    this.worker?.unref()
    this.idle = setTimeout(() => this.dismiss(), IDLE_MS).unref()
    if (underway?.failure !== undefined) underway.reject(underway.failure)
    else if (underway !== undefined) settle(underway)
  }

  /**
   * Removes the reference to the thread before ending the thread: the end takes time, and an archive that arrives
   * meanwhile needs a new thread.
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
 * Starts the worker from the built file. When this module runs from its TypeScript source, starts the worker's source
 * through tsx.
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
