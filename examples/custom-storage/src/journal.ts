import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'

/** A change: a row's new value, a removed row, or a removed table. */
export type Change = [table: string, key: string, row: unknown] | [table: string, key: string] | [table: string]

/**
 * First line of the file. A file with another first line, of another program or a newer version, is rejected and not
 * changed.
 */
const HEADER = '{"journal":1}\n'

/** Tables in memory, and a file with one line per call that changed them. A restart reads the tables from the file. */
export class Journal {
  /** Id of this opening of the file. */
  readonly opening = randomUUID()
  readonly #tables = new Map<string, Map<string, unknown>>()
  #file: number | undefined
  #closed = false

  constructor(readonly path: string) {}

  open(): void {
    if (this.#closed) throw new StorageUnavailable(`${this.path} is closed`)
    if (this.#file !== undefined) return
    const bytes = existsSync(this.path) ? readFileSync(this.path) : Buffer.alloc(0)
    if (!HEADER.startsWith(bytes.toString('utf8', 0, HEADER.length))) {
      throw new StorageUnavailable(`${this.path} is not a journal that this version can read`)
    }
    // A line that a crash interrupted was never acknowledged, and no line may follow it.
    const whole = bytes.lastIndexOf('\n') + 1
    if (whole < bytes.length) truncateSync(this.path, whole)
    const lines = bytes.toString('utf8', 0, whole).split('\n')
    for (const line of lines.slice(1, -1)) this.#apply(line)
    this.#file = openSync(this.path, 'a', 0o600)
    if (whole === 0) this.#append(HEADER)
  }

  rows<T>(table: string): ReadonlyMap<string, T> {
    if (this.#file === undefined) throw new StorageUnavailable(`${this.path} is not open`)
    return (this.#tables.get(table) ?? new Map()) as ReadonlyMap<string, T>
  }

  tables(prefix: string): string[] {
    return [...this.#tables.keys()].filter((name) => name.startsWith(prefix))
  }

  /** Writes all of the changes or none. They are on disk before any reader sees them. */
  write(changes: readonly Change[]): void {
    if (changes.length === 0) return
    const line = JSON.stringify(changes)
    this.#append(`${line}\n`)
    this.#apply(line)
  }

  close(): void {
    this.#closed = true
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #append(line: string): void {
    if (this.#file === undefined) throw new StorageUnavailable(`${this.path} is not open`)
    try {
      writeFileSync(this.#file, line)
      fdatasyncSync(this.#file)
    } catch (error) {
      // Only reading the file again tells whether the line was written, so nothing may be written after it.
      this.close()
      throw error
    }
  }

  // Rows are parsed from the line, so that no caller shares them and they equal those that a restart reads.
  #apply(line: string): void {
    for (const [name, ...change] of JSON.parse(line) as Change[]) {
      const table = this.#tables.get(name) ?? new Map<string, unknown>()
      const [key, row] = change
      // The key is removed first: a map keeps a replaced key at its old place, and tables are read in the order of
      // changes.
      if (key === undefined) table.clear()
      else table.delete(key)
      if (key !== undefined && change.length === 2) table.set(key, row)
      if (table.size === 0) this.#tables.delete(name)
      else this.#tables.set(name, table)
    }
  }
}

/**
 * Returns a function that draws numbers, which only grow, also across restarts. Each drawn number is added to the
 * changes.
 */
export function sequence(journal: Journal, changes: Change[]): () => number {
  let last = journal.rows<number>('store').get('sequence') ?? 0
  return () => {
    changes.push(['store', 'sequence', ++last])
    return last
  }
}
