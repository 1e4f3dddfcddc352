import { isRefusal } from '../failure'
import { MAX_GROUP, type Operation, type SubmitOptions, WaitingOperations } from './waiting-operations'

/** Maximum milliseconds for which a group gathers operations while calls arrive. */
export const GATHER_MS = 3

/** Transaction in which a group (operations that are committed together) runs. */
export interface Transaction {
  begin(): void
  commit(): void
  /** Rolls the transaction back, unless SQLite has already done so. */
  rollback(): void
  /**
   * Resolves when the committed transaction is durable. Returns undefined if the transaction is durable already.
   * Rejects when it is unknown whether the transaction is durable.
   */
  settle(): Promise<void> | undefined
}

/**
 * The only writer of the database. Operations that arrive together share one durable transaction, in order of arrival.
 * Each operation resolves only when that transaction is durable.
 *
 * An operation checks everything before its first write and returns a conflict as its result, so a conflict fails only
 * that operation. Operations decide by the data in the database alone, so a COMMIT that fails leaves nothing behind.
 *
 * The statements of a group run without a pause. Another thread waits for the disk. The operations that arrive during
 * this wait form the next group. The next group begins when the group before it is durable, so the data that a group
 * reads is never undone.
 */
export class GroupCommit {
  readonly #waiting = new WaitingOperations()
  #scheduled = false
  /** Whether a group is being synced, or a function that was passed to `alone` runs. */
  #busy = false
  #alone: (() => Promise<void>)[] = []
  #idle: (() => void)[] = []

  constructor(
    private readonly transaction: () => Transaction,
    private readonly translate: (error: unknown) => unknown,
  ) {}

  /**
   * Adds an operation to a group. Rejects with StorageUnavailable, without running the operation, when too many
   * operations wait already, or when this operation has waited for more than `MAX_WAIT_MS`.
   */
  submit<T>(apply: () => T, options: SubmitOptions = {}): Promise<T> {
    const refusal = this.#waiting.refusalOf(options)
    if (refusal !== undefined) return Promise.reject(refusal)
    return new Promise<T>((resolve, reject) => {
      const since = performance.now()
      this.#waiting.add({ apply, options, since, resolve: resolve as Operation['resolve'], reject, alone: false })
      this.#schedule()
    })
  }

  /** Runs `work` between two groups, while no group is being synced. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#alone.push(() => work().then(resolve, reject))
      this.#schedule()
    })
  }

  /** Resolves when no operation waits and no group is being synced. */
  async drain(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #schedule(): void {
    if (this.#scheduled || this.#busy) return
    this.#scheduled = true
    this.#gather(1, performance.now())
  }

  /**
   * Begins the next group after the first turn of the event loop in which no operation arrived, or after `GATHER_MS`.
   * Each group costs a sync and a message to another thread, so larger groups are cheaper. An operation that arrives
   * alone does not wait. `setImmediate` runs after all operations of a turn of the event loop.
   */
  #gather(before: number, since: number): void {
    setImmediate(() => {
      const count = this.#waiting.length
      if (count > before && count < MAX_GROUP && performance.now() - since < GATHER_MS) {
        this.#gather(count, since)
        return
      }
      this.#scheduled = false
      this.#next()
    })
  }

  #isIdle = () => !this.#busy && this.#waiting.isEmpty && this.#alone.length === 0

  #next(): void {
    const work = this.#alone.shift() ?? this.#runGroup()
    if (work !== undefined) {
      this.#busy = true
      void work().finally(() => {
        this.#busy = false
        this.#goOn()
      })
      return
    }
    this.#goOn()
  }

  #goOn(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
    else this.#schedule()
  }

  /**
   * Runs the next group. Returns a function that waits for the disk and then resolves the operations; undefined if no
   * wait is needed.
   */
  #runGroup(): (() => Promise<void>) | undefined {
    const group = this.#waiting.take()
    if (group.length === 0) return undefined
    let transaction: Transaction | undefined
    const results: unknown[] = []
    try {
      transaction = this.transaction()
      transaction.begin()
      for (const operation of group) results.push(operation.apply())
      transaction.commit()
    } catch (error) {
      this.#refuse(group, error, transaction)
      return undefined
    }
    const answer = () => {
      for (const [index, operation] of group.entries()) operation.resolve(results[index])
    }
    const settled = transaction.settle()
    if (settled === undefined) {
      answer()
      return undefined
    }
    return () => settled.then(answer, (error) => this.#unknown(group, error))
  }

  #refuse(group: readonly Operation[], error: unknown, transaction: Transaction | undefined): void {
    let reason = error
    try {
      transaction?.rollback()
    } catch (rollbackError) {
      reason = rollbackError
    }
    // A bug in one operation must not fail the other operations of the group, so each operation runs again in a
    // transaction of its own.
    if (group.length > 1 && !isRefusal(reason)) {
      this.#waiting.putBack(group)
      return
    }
    const refusal = this.translate(reason)
    for (const operation of group) operation.reject(refusal)
  }

  #unknown(group: readonly Operation[], error: unknown): void {
    const refusal = this.translate(error)
    for (const { options, reject } of group) reject(options.unknown?.(refusal) ?? refusal)
  }
}
