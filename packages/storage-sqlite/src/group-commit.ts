import { isRefusal } from './failure'

/** Operations that share one durable transaction, at most. */
export const MAX_GROUP = 256

/** The transaction that a group runs in. */
export interface Transaction {
  begin(): void
  commit(): void
  /** Does nothing where SQLite has rolled back by itself. */
  rollback(): void
}

interface Operation {
  readonly apply: () => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer. Operations that arrive together share one durable transaction, in order of arrival; each is answered only
 * after that transaction's COMMIT. An operation checks everything before its first write and answers a conflict by
 * returning it, so one that conflicts fails alone. Nothing about the data is cached outside the database, so a COMMIT that
 * fails leaves nothing behind. A group runs synchronously: no reader can see what could still be refused.
 */
export class GroupCommit {
  #pending: Operation[] = []
  #scheduled = false

  constructor(
    private readonly transaction: () => Transaction,
    private readonly translate: (error: unknown) => unknown,
  ) {}

  submit<T>(apply: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({ apply, resolve: resolve as (result: unknown) => void, reject })
      this.#schedule()
    })
  }

  /** Runs what is pending now, for a close. */
  drain(): void {
    while (this.#pending.length > 0) this.#runGroup()
  }

  // Everything that arrives in one turn of the event loop is in the queue by the time its check phase comes.
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#runGroup()
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  #runGroup(): void {
    const group = this.#pending.splice(0, MAX_GROUP)
    if (group.length > 0) this.#run(group)
  }

  #run(group: readonly Operation[]): void {
    let transaction: Transaction | undefined
    const results: unknown[] = []
    try {
      transaction = this.transaction()
      transaction.begin()
      for (const operation of group) results.push(operation.apply())
      transaction.commit()
    } catch (error) {
      this.#refuse(group, error, transaction)
      return
    }
    for (const [index, operation] of group.entries()) operation.resolve(results[index])
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
      for (const operation of group) this.#run([operation])
      return
    }
    const refusal = this.translate(reason)
    for (const operation of group) operation.reject(refusal)
  }
}
