import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export type HashTask =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

type HashAnswer = { readonly made: string | boolean } | { readonly failed: string }

interface Underway {
  resolve(made: string | boolean): void
  reject(error: Error): void
}

/**
 * Program of the thread, as text. A separate file would be missing when an embedding program has bundled this package.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { hashSync, verifySync } = require(workerData.argon2)
const verify = (hash, password) => {
  try {
    return verifySync(hash, password)
  } catch {
    return false // not a hash of ours
  }
}
parentPort.on('message', ({ kind, hash, password }) => {
  try {
    parentPort.postMessage({ made: kind === 'hash' ? hashSync(password, workerData.cost) : verify(hash, password) })
  } catch (error) {
    parentPort.postMessage({ failed: String(error) })
  }
})
`

/**
 * A thread that hashes one password at a time, outside the event loop. The library's asynchronous functions would use
 * libuv's thread pool, which also reads files and resolves names. The first password starts the thread. An idle thread
 * does not keep the process alive.
 */
export class HashThread {
  private worker: Worker | undefined
  private underway: Underway | undefined

  constructor(private readonly cost: object) {}

  get isBusy(): boolean {
    return this.underway !== undefined
  }

  /** Runs a task; the caller must call it only when the thread is not busy. */
  run(task: HashTask): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      this.worker ??= this.begin()
      this.underway = { resolve, reject }
      this.worker.ref()
      this.worker.postMessage(task)
    })
  }

  private begin(): Worker {
    const worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      workerData: { argon2: argon2Path(), cost: this.cost },
    })
    worker.on('message', (answer: HashAnswer) => {
      worker.unref()
      if ('made' in answer) this.end(({ resolve }) => resolve(answer.made))
      else this.end(({ reject }) => reject(new Error(answer.failed)))
    })
    const lost = (error: Error) => {
      if (this.worker === worker) this.worker = undefined
      this.end(({ reject }) => reject(error))
    }
    worker.on('error', lost)
    worker.on('exit', (code) => {
      if (this.worker === worker) lost(new Error(`the thread that hashes passwords ended with code ${code}`))
    })
    return worker
  }

  private end(settle: (underway: Underway) => void): void {
    const { underway } = this
    this.underway = undefined
    if (underway !== undefined) settle(underway)
  }
}

/** Returns the path of the native package. A bundle does not contain the package, and needs it only for passwords. */
function argon2Path(): string {
  try {
    return createRequire(import.meta.url).resolve('@node-rs/argon2')
  } catch (cause) {
    throw new Error(
      'the package @node-rs/argon2, which hashes passwords, is not installed beside the program: run npm install @node-rs/argon2 there',
      { cause },
    )
  }
}
