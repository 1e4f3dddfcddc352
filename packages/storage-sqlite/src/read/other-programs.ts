import type { Connection } from '../connection'

/** Detects writes of other programs to the file. */
export class OtherPrograms {
  /** Last value of SQLite's counter of writes by other connections (data_version). */
  #count: number | undefined
  #wrote = false

  /** `forget` is called after another program's write, because cached rows may be stale. */
  constructor(private readonly forget: () => void) {}

  /** Checks whether another program has written since the last call, and then calls `forget`. */
  look(connection: Connection | undefined): void {
    if (connection === undefined) return
    const before = this.#count
    this.#count = connection.dataVersion()
    if (before !== undefined && before !== this.#count) this.found()
  }

  found(): void {
    this.#wrote = true
    this.forget()
  }

  /** Marks all writes until now as the service's own. */
  passOver(connection: Connection | undefined): void {
    this.#count = connection?.dataVersion()
  }

  /**
   * Treats the last group as another program's write. The sync of the group failed. Its changes may still appear when
   * the file is opened again, and no reader has seen them yet.
   */
  doubt(): void {
    this.#wrote = true
    this.#count = undefined
  }

  /** Whether another program has written since the last call. */
  haveWritten(connection: Connection | undefined): boolean {
    try {
      this.look(connection)
    } catch {
      // The next regular call to the database reports the error.
      return false
    }
    const wrote = this.#wrote
    this.#wrote = false
    return wrote
  }
}
