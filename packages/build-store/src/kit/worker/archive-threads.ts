import { availableParallelism, constants } from 'node:os'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveThread } from './archive-thread'
import type { ArchiveTask } from './messages'

/** Threads for one kind of work: one core stays with the event loop where there is more than one. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))

interface Waiting {
  readonly task: ArchiveTask
  readonly bytes: number
  readonly log: BuildLog
  resolve(verdict: ArchiveVerdict | undefined): void
  reject(error: unknown): void
}

/**
 * A few threads and who waits for them, the smallest archive first: whoever brings gigabytes holds up others like it, not a
 * launch of a small game. What waits is bounded by the hands of whoever calls.
 */
export class ArchiveThreads {
  private readonly threads: readonly ArchiveThread[]
  private waiting: Waiting[] = []

  constructor(priority: number = constants.priority.PRIORITY_NORMAL, count = THREADS) {
    this.threads = Array.from({ length: count }, () => new ArchiveThread(priority))
  }

  run(task: ArchiveTask, bytes: number, log: BuildLog = () => {}): Promise<ArchiveVerdict | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, bytes, log, resolve, reject })
      this.next()
    })
  }

  private next(): void {
    const thread = this.threads.find((one) => !one.isBusy)
    const [first] = this.waiting.sort((a, b) => a.bytes - b.bytes)
    if (thread === undefined || first === undefined) return
    this.waiting = this.waiting.slice(1)
    thread
      .run(first.task, first.log)
      .then(first.resolve, first.reject)
      .finally(() => this.next())
  }
}

/** The process's, whatever the number of its stores: cores are the process's too. What unpacks for launches waits for no check. */
export const archiveThreads = {
  /** Nobody plays on what is being checked: it takes what launches and calls leave of the cores. */
  checking: new ArchiveThreads(constants.priority.PRIORITY_BELOW_NORMAL),
  unpacking: new ArchiveThreads(),
} as const
