import cluster, { type Worker } from 'node:cluster'
import type { Timers } from '@matchyard/core/ports'
import { standardError } from '../service/standard-streams'
import { type Answers, Channel } from './channel'
import { relayLines } from './relay-lines'
import type { OfPrimary, OfWorker } from './words'
import { WORKER_NUMBER } from './worker-place'

/** Exit code and signal of an ended worker. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
}

/**
 * Closes a connection that was being passed to a worker when the worker was killed. Node's cluster module passes one
 * connection at a time to a worker, and the next connection after the worker's confirmation. If the worker ends before
 * the confirmation, the module forgets the connection, and the caller would wait forever. Closing a connection that has
 * reached the worker has no effect.
 */
function closeOnTheWay({ process: child }: Worker): void {
  let onTheWay: { close?(): void } | undefined
  const send = child.send.bind(child) as (...all: unknown[]) => boolean
  Object.assign(child, {
    send(...all: unknown[]) {
      const [, handle] = all
      if (typeof handle === 'object' && handle !== null) onTheWay = handle
      return send(...all)
    },
  })
  child.once('exit', () => onTheWay?.close?.())
}

/** One run of a worker process, as the primary sees it. */
export class WorkerProcess {
  readonly channel: Channel<OfWorker, OfPrimary>
  readonly ended: Promise<Ended>
  readonly pid: number
  private readonly worker: Worker

  constructor(
    readonly number: number,
    environment: Readonly<Record<string, string>>,
    timers: Timers,
    answers: Answers<OfPrimary>,
  ) {
    const worker = cluster.fork({ ...environment, [WORKER_NUMBER]: String(number) })
    const { stdout, stderr, pid = 0 } = worker.process
    for (const stream of [stdout, stderr]) if (stream !== null) relayLines(stream, standardError())
    closeOnTheWay(worker)
    this.worker = worker
    this.pid = pid
    this.channel = new Channel(
      {
        send: (message) => {
          if (worker.isConnected()) worker.send(message, undefined, undefined)
        },
        listen: (listener) => worker.on('message', listener),
      },
      timers,
      answers,
    )
    worker.on('error', () => {})
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.channel.close()
        resolve({ code, signal })
      })
    })
  }

  kill(): void {
    this.worker.process.kill('SIGKILL')
  }
}
