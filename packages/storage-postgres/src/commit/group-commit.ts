import { type CommitResult, StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from '../database'
import { asUnavailable, isConnectionLoss, isRace, isStalePlan } from '../failure'
import type { PreparedCommit } from './prepared'
import { LostInCommit, outcomeUnknown, runBatch } from './run-batch'
import { runUnseen } from './run-unseen'
import { type Waiting, WaitingCommits } from './waiting-commits'

/** How often a batch is tried again after losing a race; after that each of its commits is alone, and tried as often. */
const MAX_TRIES = 8

/** The database's refusal, or a lost connection, concerns the whole batch. */
const isOfAll = (error: unknown) =>
  error instanceof LostInCommit || (!isRace(error) && asUnavailable(error) instanceof StorageUnavailable)

/**
 * Commits that arrive together share a transaction; several transactions run side by side, so that one that waits for
 * another node's lock holds up nobody else. Each commit is judged for itself: one that conflicts fails alone.
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

  /** Resolves when everything submitted is answered. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.#waiting.length === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  // Everything that arrives in one turn of the event loop is here by the time its check phase comes.
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
      // What one commit breaks (a bug, a race it keeps losing) must not take the others with it.
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
        // Until COMMIT was sent nothing has happened, so a connection that had died unseen is no reason to give up.
        const again = isRace(error) || isStalePlan(error) || (isConnectionLoss(error) && tries === 1)
        if (!again || error instanceof LostInCommit || tries >= MAX_TRIES) throw error
      }
    }
  }

  #failure(commit: PreparedCommit, error: unknown): unknown {
    return error instanceof LostInCommit ? outcomeUnknown(commit, error) : this.database.report(error)
  }
}
