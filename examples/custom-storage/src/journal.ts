import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'

/** A row that changed, or one that is gone, or a whole table that is gone. */
export type Change = [table: string, key: string, row: unknown] | [table: string, key: string] | [table: string]

/** The first line: a file that begins otherwise, another program's or a newer one, is refused and left alone. */
const HEADER = '{"journal":1}\n'

/** Tables in memory, and a file with one line per call that changed any: what the file says is what a restart finds. */
export class Journal {
  /** Names this opening of the file. */
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
    // A line that a crash cut off was never acknowledged, and the next one must not be written behind it.
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

  /** All of the changes or none of them; they are on disk before anybody can read them. */
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
      // Whether the line is there is known only when the file is read again, so nothing more is written behind it.
      this.close()
      throw error
    }
  }

  // The rows are parsed from the line itself: nobody else holds them, and they are what a restart would read.
  #apply(line: string): void {
    for (const [name, ...change] of JSON.parse(line) as Change[]) {
      const table = this.#tables.get(name) ?? new Map<string, unknown>()
      const [key, row] = change
      // Taken out first: a map keeps a key that is set again in its old place, and tables are read in order of change.
      if (key === undefined) table.clear()
      else table.delete(key)
      if (key !== undefined && change.length === 2) table.set(key, row)
      if (table.size === 0) this.#tables.delete(name)
      else this.#tables.set(name, table)
    }
  }
}

/** Numbers that only grow, also over a restart; each one drawn is among the changes. */
export function sequence(journal: Journal, changes: Change[]): () => number {
  let last = journal.rows<number>('store').get('sequence') ?? 0
  return () => {
    changes.push(['store', 'sequence', ++last])
    return last
  }
}
