import { isRefusal } from '../failure'
import { type Operation, type SubmitOptions, WaitingOperations } from './waiting-operations'

/** Transaction in which a group runs. */
export interface Transaction {
  begin(): void
  commit(): void
  /** Rolls the transaction back, unless SQLite has already done so. */
  rollback(): void
  /** Resolves when what was just committed is durable; undefined where it is already. When it rejects, nobody can say whether it is. */
  settle(): Promise<void> | undefined
}

/**
 * The one writer. Operations that arrive together share one durable transaction, in order of arrival; each is answered only
 * when that transaction is durable. An operation checks everything before its first write and answers a conflict by
 * returning it, so one that conflicts fails alone. No operation is judged by anything but the database, so a COMMIT that
 * fails leaves nothing behind. Statements run in one piece; the wait for the disk is elsewhere, and what arrives during it gathers
 * and is the next group, which begins when this one is durable: what a group reads is never undone.
 */
export class GroupCommit {
  readonly #waiting = new WaitingOperations()
  #scheduled = false
  /** Whether a group is being synced, or a function given to `alone` runs. */
  #busy = false
  #alone: (() => Promise<void>)[] = []
  #idle: (() => void)[] = []

  constructor(
    private readonly transaction: () => Transaction,
    private readonly translate: (error: unknown) => unknown,
  ) {}

  /** Rejects with StorageUnavailable, and nothing was done, when too much waits already or it has waited for too long. */
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

  // The check phase comes after all operations that arrive in one turn of the event loop: they share a group.
  #schedule(): void {
    if (this.#scheduled || this.#busy) return
    this.#scheduled = true
    setImmediate(() => {
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

  /** Runs the next group; what it answers is called to wait for the disk, where there is something to wait for. */
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
    // A bug in one operation must not take the others with it: each runs again on its own.
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
