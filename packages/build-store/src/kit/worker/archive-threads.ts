import { availableParallelism, constants } from 'node:os'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { ArchiveThread } from './archive-thread'
import type { ArchiveTask } from './messages'

/**
 * Number of threads for one kind of work: 1 or 2. If the machine has several cores, one core stays free for the event
 * loop.
 */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))

interface Waiting {
  readonly task: ArchiveTask
  readonly bytes: number
  readonly log: BuildLog
  resolve(verdict: ArchiveVerdict | undefined): void
  reject(error: unknown): void
}

/**
 * A few threads, and the archives that wait for a free thread. The smallest archive is next: so an archive of gigabytes
 * delays other large archives, but not the launch of a small game. The number of jobs that the callers run at the same
 * time limits the number of waiting archives.
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
 * Threads of the whole process. All stores of the process share them, because they share the cores too. Unpacking for
 * launches has separate threads, so it does not wait for checks.
 */
export const archiveThreads = {
  /**
   * Checks have low priority, because no player waits for them. They use only the processor time that launches and
   * calls leave.
   */
  checking: new ArchiveThreads(constants.priority.PRIORITY_BELOW_NORMAL),
  unpacking: new ArchiveThreads(),
} as const
