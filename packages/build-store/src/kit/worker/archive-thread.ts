import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveRefused } from '../refusal'
import type { ArchiveFailure, ArchiveMessage, ArchiveTask, ArchiveThreadData } from './messages'

/** An archive's directory is at most 20,000 short rows, its data passes in pieces: more than this is a fault of ours. */
const HEAP_MB = 256
/** A thread that has had nothing to do for so long is ended; the next archive starts another. */
export const IDLE_MS = 30_000

interface Underway {
  readonly log: BuildLog
  resolve(verdict: ArchiveVerdict | undefined): void
  reject(error: unknown): void
  failure?: unknown
}

/** One thread beside the event loop, started when it is needed, that works through one archive at a time. */
export class ArchiveThread {
  private worker: Worker | undefined
  private underway: Underway | undefined
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly priority: number) {}

  get isBusy(): boolean {
    return this.underway !== undefined
  }

  /** Only when it is not busy. Throws what the work threw: ArchiveRefused, errors of the disk with their codes. */
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

  /** A listener that throws ends its own work, as it would if it were called on the way. */
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
    // A service that ends does not wait for a thread that has nothing to do.
    this.worker?.unref()
    this.idle = setTimeout(() => this.dismiss(), IDLE_MS).unref()
    if (underway?.failure !== undefined) underway.reject(underway.failure)
    else if (underway !== undefined) settle(underway)
  }

  /** Forgets it first: it takes a while to end, and an archive that comes meanwhile needs one that lives. */
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

/** The built file beside the built package; from the sources, where nothing is built, the source through tsx. */
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
