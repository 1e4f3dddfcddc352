import type { Database } from 'better-sqlite3'
import { prepareStatements, type Statements } from '../statements/index'

/**
 * A second connection that looks at the file as it was before the group that is being made durable: COMMIT shows a group to
 * every connection at once, before it is on the disk, and nobody may see what a power cut could still undo. Pinned for as long
 * as a group is on its way; at all other times what the writer sees is durable, and its cache is warmer.
 */
export class Snapshot {
  readonly statements: Statements
  readonly #begin
  readonly #look
  readonly #end
  #pinned = false

  constructor(private readonly db: Database) {
    this.statements = prepareStatements(db)
    this.#begin = db.prepare('begin')
    this.#look = db.prepare('select 1 from sqlite_schema limit 1')
    this.#end = db.prepare('commit')
  }

  get pinned(): boolean {
    return this.#pinned
  }

  /** Before the group's first write. */
  pin(): void {
    this.#begin.run()
    this.#pinned = true
    // A snapshot is taken by the first read.
    this.#look.get()
  }

  unpin(): void {
    if (!this.#pinned) return
    this.#pinned = false
    this.#end.run()
  }

  close(): void {
    this.#pinned = false
    this.db.close()
  }
}
