import { availableParallelism, constants } from 'node:os'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveThread } from './archive-thread'
import type { ArchiveTask } from './messages'

/** Threads for one kind of work: 1 or 2. One core stays free for the event loop when there are several. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))

interface Waiting {
  readonly task: ArchiveTask
  readonly bytes: number
  readonly log: BuildLog
  resolve(verdict: ArchiveVerdict | undefined): void
  reject(error: unknown): void
}

/**
 * A few threads and the archives that wait for them. The smallest archive is next: an archive of gigabytes delays other
 * large archives, not the launch of a small game. The callers' job slots (hands) bound the number of waiting archives.
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

/**
 * Threads of the whole process, shared by all its stores, because the cores are shared too. Unpacking for launches
 * waits for no check.
 */
export const archiveThreads = {
  /** Low priority: no player waits for a check, so checks use only the processor time that launches and calls leave. */
  checking: new ArchiveThreads(constants.priority.PRIORITY_BELOW_NORMAL),
  unpacking: new ArchiveThreads(),
} as const
