import { type CommitResult, StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from '../database'
import { asUnavailable, isConnectionLoss, isRace, isStalePlan } from '../failure'
import type { PreparedCommit } from './prepared'
import { LostInCommit, outcomeUnknown, runBatch } from './run-batch'
import { runUnseen } from './run-unseen'
import { type Waiting, WaitingCommits } from './waiting-commits'

/**
 * Maximum number of times that a batch is tried after lost races. Then each commit is tried alone, again as many times.
 */
const MAX_TRIES = 8

/** Whether a failure concerns the whole batch: a refusal by the database, or a lost connection. */
const isOfAll = (error: unknown) =>
  error instanceof LostInCommit || (!isRace(error) && asUnavailable(error) instanceof StorageUnavailable)

/**
 * Runs commits that arrive together in one transaction. Several transactions run side by side, so that a transaction
 * that waits for another node's lock does not delay the others. Each commit is judged separately: a commit with a
 * conflict fails alone.
 */
export class GroupCommit {
  readonly #waiting: WaitingCommits
  #running = 0
  #scheduled = false
  #idle: (() => void)[] = []

  constructor(
    private readonly database: Database,
    private readonly writers: number,
    patienceMs: number,
  ) {
    this.#waiting = new WaitingCommits(patienceMs)
  }

  submit(commit: PreparedCommit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ commit, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when every submitted commit has its result. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.#waiting.length === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  // The check phase of the event loop runs after all commits of one turn have arrived.
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#running < this.writers && this.#waiting.length > 0) {
      const batch = this.#waiting.take()
      this.#running++
      void this.#run(batch).finally(() => {
        this.#running--
        this.#schedule()
      })
    }
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#tryHard(batch.map(({ commit }) => commit))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('a batch answered too few commits'))
        else resolve(result)
      }
    } catch (error) {
      // A failure of one commit (a bug, or a race that it loses every time) must not fail the others.
      if (batch.length > 1 && !isOfAll(error)) for (const one of batch) await this.#run([one])
      else for (const { commit, reject } of batch) reject(this.#failure(commit, error))
    }
  }

  async #tryHard(commits: readonly PreparedCommit[]): Promise<CommitResult[]> {
    for (let tries = 1; ; tries++) {
      try {
        return (
          (tries === 1 ? await runUnseen(this.database, commits) : undefined) ??
          (await runBatch(this.database, commits))
        )
      } catch (error) {
        // Nothing is applied before COMMIT is sent, so a connection that was found dead is retried once.
        const again = isRace(error) || isStalePlan(error) || (isConnectionLoss(error) && tries === 1)
        if (!again || error instanceof LostInCommit || tries >= MAX_TRIES) throw error
      }
    }
  }

  #failure(commit: PreparedCommit, error: unknown): unknown {
    return error instanceof LostInCommit ? outcomeUnknown(commit, error) : this.database.report(error)
  }
}
