import type { Connection } from '../connection'

/** Notices what other programs write to the file. */
export class OtherPrograms {
  /** SQLite's own count of what other connections wrote. */
  #count: number | undefined
  #wrote = false

  /** `forget`: called where one has written, for what is known of rows may be old. */
  constructor(private readonly forget: () => void) {}

  /** Finds out whether one has written since this was last called. */
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

  /** What was written until now is the service's own. */
  passOver(connection: Connection | undefined): void {
    this.#count = connection?.dataVersion()
  }

  /** What the last group changed may come back with the file, as if another program had written it: nobody was told of it. */
  doubt(): void {
    this.#wrote = true
    this.#count = undefined
  }

  /** Whether one has written since this was last asked. */
  haveWritten(connection: Connection | undefined): boolean {
    try {
      this.look(connection)
    } catch {
      // The next call that matters says what is wrong.
      return false
    }
    const wrote = this.#wrote
    this.#wrote = false
    return wrote
  }
}
