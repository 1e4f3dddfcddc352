import type { Commit, CommitResult, Storage } from '@matchyard/core/ports'

/** An adapter that breaks one guarantee of the storage port, and the case of the conformance suite that must say so. */
export interface BrokenStorage {
  /** What is wrong with it, as a sentence without a subject. */
  readonly name: string
  readonly caughtBy: string
  /** Breaks a sound adapter; `fresh` makes another sound one with a store of its own. */
  wrap(storage: Storage, fresh: () => Storage): Storage
  /** For a fault that shows only while a commit is open (see `StorageUnderTest.holdOpen`). */
  holdOpen?(storage: Storage, commit: Commit, during: () => Promise<void>): Promise<CommitResult>
}

/** The storage with some calls replaced. Works on adapters that are plain objects of functions, as ours are. */
export const replace = (storage: Storage, parts: Partial<Storage>): Storage => ({ ...storage, ...parts })

/** The storage with another `commit`. */
export const replaceCommit = (storage: Storage, commit: (commit: Commit) => Promise<CommitResult>): Storage =>
  replace(storage, { commit })

/** Lets everything else that is ready go first: the gap that a missing lock leaves open. */
export const gap = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
