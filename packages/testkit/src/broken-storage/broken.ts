import type { Commit, CommitResult, Storage } from '@matchyard/core/ports'

/** A storage adapter that breaks one guarantee of the storage port, with the conformance case that must fail. */
export interface BrokenStorage {
  /** The fault, as a sentence without a subject. */
  readonly name: string
  readonly caughtBy: string
  /** Returns the broken form of a correct adapter. `fresh` returns another correct adapter with a store of its own. */
  wrap(storage: Storage, fresh: () => Storage): Storage
  /** Replaces `StorageUnderTest.holdOpen`, for a fault that shows only while a commit is open. */
  holdOpen?(storage: Storage, commit: Commit, during: () => Promise<void>): Promise<CommitResult>
}

/** Returns the storage with some calls replaced. The adapter must be a plain object of functions. */
export const replace = (storage: Storage, parts: Partial<Storage>): Storage => ({ ...storage, ...parts })

/** Returns the storage with another `commit`. */
export const replaceCommit = (storage: Storage, commit: (commit: Commit) => Promise<CommitResult>): Storage =>
  replace(storage, { commit })

/** Lets all other work that is ready run first, as a missing lock would. */
export const gap = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
