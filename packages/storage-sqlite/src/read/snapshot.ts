import type { Database } from 'better-sqlite3'
import { prepareStatements, type Statements } from '../statements/index'

/**
 * A second connection that reads the file as it was before the group that is being synced. COMMIT shows a group to
 * every connection at once, before the group is on the disk. No reader may see data that a power cut could still undo.
 * The snapshot is pinned while a group is being synced. At all other times readers use the writer's connection: its
 * data is durable, and its cache contains more of the needed pages.
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

  /** Pins the snapshot, before the group's first write. */
  pin(): void {
    this.#begin.run()
    this.#pinned = true
    // The first read takes the snapshot.
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
