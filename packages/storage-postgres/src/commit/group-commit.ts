import { type CommitResult, StorageUnavailable } from '@matchyard/core/ports'
import { Batches } from '../batches/batches'
import { type Item, Waiting, type WaitingBounds } from '../batches/waiting'
import type { Database } from '../database'
import { asUnavailable, isConnectionLoss, isRace, isStalePlan } from '../failure'
import type { PreparedCommit } from './prepared'
import { LostInCommit, outcomeUnknown, runBatch } from './run-batch'
import { runUnseen } from './run-unseen'

/**
 * Maximum number of times that a batch is tried when it loses races against other transactions. After that, each commit
 * of the batch is tried alone, at most the same number of times.
 */
const MAX_TRIES = 8

/** Whether a failure concerns the whole batch: a refusal by the database, or a lost connection. */
const isOfAll = (error: unknown) =>
  error instanceof LostInCommit || (!isRace(error) && asUnavailable(error) instanceof StorageUnavailable)

/** A submitted commit that has no result yet. */
export interface WaitingCommit extends Item {
  readonly commit: PreparedCommit
  readonly resolve: (result: CommitResult) => void
}

/** Returns the bounds of the commits that wait for a transaction, and of one transaction. */
export const commitBounds = (patienceMs: number): WaitingBounds => ({
  batch: 128,
  batchSize: 4 * 1024 * 1024,
  waiting: 10_000,
  waitingSize: 64 * 1024 * 1024,
  patienceMs,
  name: 'commits',
})

/**
 * Runs commits that arrive together in one transaction. While the transaction runs, further commits gather for the next
 * one. Up to `writers` transactions run at the same time, so that a transaction that waits for another node's lock does
 * not delay the others. Each commit is checked separately, so a commit with a conflict does not fail the others.
 */
export class GroupCommit {
  readonly #batches: Batches<WaitingCommit>

  constructor(
    private readonly database: Database,
    writers: number,
    patienceMs: number,
  ) {
    this.#batches = new Batches(new Waiting(commitBounds(patienceMs)), writers, (batch) => this.#run(batch))
  }

  submit(commit: PreparedCommit): Promise<CommitResult> {
    return new Promise((resolve, reject) => this.#batches.add({ commit, size: commit.size, resolve, reject }))
  }

  /** Resolves when every submitted commit has its result. */
  drain(): Promise<void> {
    return this.#batches.drain()
  }

  async #run(batch: readonly WaitingCommit[]): Promise<void> {
    try {
      const results = await this.#tryHard(batch.map(({ commit }) => commit))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('a batch answered too few commits'))
        else resolve(result)
      }
    } catch (error) {
      // A failure of one commit (a bug, or a race that the commit always loses) must not fail the other commits, so
      // each commit runs alone.
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
        // Nothing is applied before COMMIT is sent. A batch whose connection was lost before COMMIT is therefore
        // retried once.
        const again = isRace(error) || isStalePlan(error) || (isConnectionLoss(error) && tries === 1)
        if (!again || error instanceof LostInCommit || tries >= MAX_TRIES) throw error
      }
    }
  }

  #failure(commit: PreparedCommit, error: unknown): unknown {
    return error instanceof LostInCommit ? outcomeUnknown(commit, error) : this.database.report(error)
  }
}
