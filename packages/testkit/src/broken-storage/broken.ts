import type { Commit, CommitResult, Storage } from '@matchyard/core/ports'

/**
 * A storage adapter that breaks one guarantee of the storage port, and the name of the conformance case that must fail
 * (`caughtBy`).
 */
export interface BrokenStorage {
  /** The fault, as a sentence without its subject, which is the adapter. */
  readonly name: string
  readonly caughtBy: string
  /** Returns a faulty version of a correct adapter. `fresh` returns another correct adapter with a separate store. */
  wrap(storage: Storage, fresh: () => Storage): Storage
  /** Replaces `StorageUnderTest.holdOpen`, for a fault that shows only while a commit is open. */
  holdOpen?(storage: Storage, commit: Commit, during: () => Promise<void>): Promise<CommitResult>
}

/** Returns the storage with some of its functions replaced. The adapter must be a plain object of functions. */
export const replace = (storage: Storage, parts: Partial<Storage>): Storage => ({ ...storage, ...parts })

/** Returns the storage with its function `commit` replaced. */
export const replaceCommit = (storage: Storage, commit: (commit: Commit) => Promise<CommitResult>): Storage =>
  replace(storage, { commit })

/** Lets all other work that is ready run first, as a storage without a lock may do between two steps of a commit. */
export const gap = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
