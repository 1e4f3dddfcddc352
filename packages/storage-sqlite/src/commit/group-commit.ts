import { StorageUnavailable } from '@matchyard/core/ports'
import { isRefusal } from '../failure'

/** Operations that share one durable transaction, at most. */
export const MAX_GROUP = 256
/** Characters of JSON that they write, at most, unless one operation alone has more: the event loop stands still while a group runs. */
export const MAX_GROUP_TEXT = 4 * 1024 * 1024
/** Operations that may wait for the writer: sixteen groups, less than a second of work on a disk that takes 20 ms for a sync. */
export const MAX_WAITING = 16 * MAX_GROUP
/** Characters of JSON that may wait. */
export const MAX_WAITING_TEXT = 64 * 1024 * 1024
/** Places beyond those for what the service itself goes on by (jobs, leases, pings): a flood of calls must not stop it. */
export const URGENT_PLACES = MAX_GROUP
/** Milliseconds after which what has not begun is refused: its caller has given up, or will call again. */
export const MAX_WAIT_MS = 5_000

/** The transaction that a group runs in. */
export interface Transaction {
  begin(): void
  commit(): void
  /** Does nothing where SQLite has rolled back by itself. */
  rollback(): void
  /** Resolves when what was just committed is durable; undefined where it is already. When it rejects, nobody can say whether it is. */
  settle(): Promise<void> | undefined
}

export interface SubmitOptions {
  /** Characters of JSON that it writes. */
  readonly text?: number
  /** Whether it is of those that the service goes on by. */
  readonly urgent?: boolean
  /** The error for an operation of which nobody can say whether it was applied. Default: as for one that was refused. */
  readonly unknown?: (cause: unknown) => unknown
}

interface Operation {
  readonly apply: () => unknown
  readonly options: SubmitOptions
  readonly since: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** One of a group in which one had a bug: each runs again on its own. */
  alone: boolean
}

/**
 * The one writer. Operations that arrive together share one durable transaction, in order of arrival; each is answered only
 * when that transaction is durable. An operation checks everything before its first write and answers a conflict by
 * returning it, so one that conflicts fails alone. No operation is judged by anything but the database, so a COMMIT that
 * fails leaves nothing behind. Statements run in one piece; the wait for the disk is elsewhere, and what arrives during it gathers
 * and is the next group, which begins when this one is durable: what a group reads is never undone.
 */
export class GroupCommit {
  #waiting: Operation[] = []
  #waitingText = 0
  #scheduled = false
  /** A group is on its way to the disk, or somebody is alone with the file. */
  #busy = false
  #alone: (() => Promise<void>)[] = []
  #idle: (() => void)[] = []
  #watch: NodeJS.Timeout | undefined

  constructor(
    private readonly transaction: () => Transaction,
    private readonly translate: (error: unknown) => unknown,
  ) {}

  /** Rejects with StorageUnavailable, and nothing was done, when too much waits already or it has waited for too long. */
  submit<T>(apply: () => T, options: SubmitOptions = {}): Promise<T> {
    const places = options.urgent ? MAX_WAITING + URGENT_PLACES : MAX_WAITING
    const { text = 0 } = options
    if (this.#waiting.length >= places) return Promise.reject(tooMuch(`${this.#waiting.length} operations`))
    if (this.#waitingText > 0 && this.#waitingText + text > MAX_WAITING_TEXT && !options.urgent) {
      return Promise.reject(tooMuch(`${this.#waitingText} characters of JSON`))
    }
    return new Promise<T>((resolve, reject) => {
      const since = performance.now()
      this.#waitingText += text
      this.#waiting.push({ apply, options, since, resolve: resolve as Operation['resolve'], reject, alone: false })
      this.#watch ??= setTimeout(() => this.#refuseLate(), MAX_WAIT_MS).unref()
      this.#schedule()
    })
  }

  /** Runs between two groups, with nothing on its way to the disk. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#alone.push(() => work().then(resolve, reject))
      this.#schedule()
    })
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async drain(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  // Everything that arrives in one turn of the event loop is in the queue by the time its check phase comes.
  #schedule(): void {
    if (this.#scheduled || this.#busy) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#next()
    })
  }

  #isIdle = () => !this.#busy && this.#waiting.length === 0 && this.#alone.length === 0

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

  /** Takes the next group off the queue: as many as fit, the first one always. */
  #take(): Operation[] {
    let text = 0
    let count = 0
    for (const operation of this.#waiting) {
      text += operation.options.text ?? 0
      if (count === MAX_GROUP || (count > 0 && (operation.alone || text > MAX_GROUP_TEXT))) break
      count += 1
      if (operation.alone) break
    }
    const group = this.#waiting.splice(0, count)
    for (const { options } of group) this.#waitingText -= options.text ?? 0
    return group
  }

  /** Runs the next group; what it answers is called to wait for the disk, where there is something to wait for. */
  #runGroup(): (() => Promise<void>) | undefined {
    this.#refuseLate()
    const group = this.#take()
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
      for (const operation of group) {
        operation.alone = true
        this.#waitingText += operation.options.text ?? 0
      }
      this.#waiting.unshift(...group)
      return
    }
    const refusal = this.translate(reason)
    for (const operation of group) operation.reject(refusal)
  }

  #unknown(group: readonly Operation[], error: unknown): void {
    const refusal = this.translate(error)
    for (const { options, reject } of group) reject(options.unknown?.(refusal) ?? refusal)
  }

  /** Operations are in order of arrival, so those that have waited for too long are the first. */
  #refuseLate(): void {
    clearTimeout(this.#watch)
    this.#watch = undefined
    const before = performance.now() - MAX_WAIT_MS
    const next = this.#waiting.findIndex(({ since }) => since > before)
    const late = this.#waiting.splice(0, next === -1 ? this.#waiting.length : next)
    if (late.length > 0) {
      const refusal = new StorageUnavailable(`the disk is slow: it was not written within ${MAX_WAIT_MS} ms`)
      for (const { options, reject } of late) {
        this.#waitingText -= options.text ?? 0
        reject(refusal)
      }
    }
    const first = this.#waiting[0]
    if (first === undefined) return
    this.#watch = setTimeout(() => this.#refuseLate(), Math.max(first.since - before, 1)).unref()
  }
}

const tooMuch = (what: string) => new StorageUnavailable(`too much waits for the disk: ${what}`)
