import { type CommitResult, StorageUnavailable } from '@matchyard/core/ports'
import type { PreparedCommit } from './prepared'

/** Commits that share one transaction, at most, and the length of their texts. */
export const MAX_BATCH = 128
export const MAX_BATCH_SIZE = 4 * 1024 * 1024
/** Commits that wait for their transaction, at most, and the length of their texts; past either a commit is refused. */
export const MAX_WAITING_COMMITS = 10_000
export const MAX_WAITING_SIZE = 64 * 1024 * 1024

export interface Waiting {
  readonly commit: PreparedCommit
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

/** The commits that no transaction has taken yet: a queue with an end, in number, in bytes and in time. */
export class WaitingCommits {
  readonly #waiting: { readonly one: Waiting; readonly since: number }[] = []
  #size = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    /** Milliseconds after which a commit that nobody took is refused: nothing has happened, and its caller knows. */
    private readonly patienceMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get length(): number {
    return this.#waiting.length
  }

  /** Throws StorageUnavailable where it is full. */
  add(one: Waiting): void {
    const isFull = this.length >= MAX_WAITING_COMMITS
    if (isFull || (this.length > 0 && this.#size + one.commit.size > MAX_WAITING_SIZE)) {
      throw new StorageUnavailable('PostgreSQL: too many commits wait already')
    }
    this.#waiting.push({ one, since: this.now() })
    this.#size += one.commit.size
    this.#timer ??= setTimeout(() => this.#shed(), this.patienceMs)
  }

  /** The next batch: those that came first, as many as a transaction may have. */
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

  /** Refuses those that have waited too long. */
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
