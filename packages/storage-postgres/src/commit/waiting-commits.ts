import { type CommitResult, StorageUnavailable } from '@matchyard/core/ports'
import type { PreparedCommit } from './prepared'

/**
 * Maximum number of commits in one transaction; `MAX_BATCH_SIZE` is the maximum length of their texts, in characters.
 */
export const MAX_BATCH = 128
export const MAX_BATCH_SIZE = 4 * 1024 * 1024
/**
 * Maximum number of commits that wait for a transaction; `MAX_WAITING_SIZE` is the maximum length of their texts, in
 * characters. Beyond either bound a commit is refused.
 */
export const MAX_WAITING_COMMITS = 10_000
export const MAX_WAITING_SIZE = 64 * 1024 * 1024

export interface Waiting {
  readonly commit: PreparedCommit
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * Queue of the commits that no transaction has taken yet, with bounds for their number, their size and their waiting
 * time.
 */
export class WaitingCommits {
  readonly #waiting: { readonly one: Waiting; readonly since: number }[] = []
  #size = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    /**
     * Milliseconds after which a waiting commit is refused. Nothing of it was applied, and its caller gets the error.
     */
    private readonly patienceMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get length(): number {
    return this.#waiting.length
  }

  /** Adds a commit. Throws StorageUnavailable when the queue is full. */
  add(one: Waiting): void {
    const isFull = this.length >= MAX_WAITING_COMMITS
    if (isFull || (this.length > 0 && this.#size + one.commit.size > MAX_WAITING_SIZE)) {
      throw new StorageUnavailable('PostgreSQL: too many commits wait already')
    }
    this.#waiting.push({ one, since: this.now() })
    this.#size += one.commit.size
    this.#timer ??= setTimeout(() => this.#shed(), this.patienceMs)
  }

  /** Removes and returns the next batch: the oldest commits, as many as one transaction may have. */
  take(): Waiting[] {
    let size = 0
    let count = 0
    for (const { one } of this.#waiting) {
      if (count === MAX_BATCH || (count > 0 && size + one.commit.size > MAX_BATCH_SIZE)) break
      size += one.commit.size
      count++
    }
    this.#size -= size
    const taken = this.#waiting.splice(0, count).map(({ one }) => one)
    if (this.length === 0) this.#stopWatching()
    return taken
  }

  /** Refuses the commits that have waited too long. */
  #shed(): void {
    this.#timer = undefined
    const oldest = this.now() - this.patienceMs
    const kept = this.#waiting.findIndex(({ since }) => since > oldest)
    for (const { one } of this.#waiting.splice(0, kept === -1 ? this.length : kept)) {
      this.#size -= one.commit.size
      one.reject(new StorageUnavailable('PostgreSQL: the commits before this one take too long'))
    }
    const [first] = this.#waiting
    if (first !== undefined) this.#timer = setTimeout(() => this.#shed(), first.since - oldest)
  }

  #stopWatching(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
