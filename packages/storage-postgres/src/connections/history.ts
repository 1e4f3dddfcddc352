import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { send } from '../send'
import { statement } from '../statements/statement'

const LEARN = statement<{ server: string; newest: string }>(
  'learn_history',
  `select extract(epoch from pg_postmaster_start_time())::text as server,
     pg_snapshot_xmax(pg_current_snapshot())::text as newest`,
)

/**
 * Whether what was read is still a part of the database's past. A failover, a restored backup and a power cut under
 * `synchronous_commit = off` take back what was acknowledged, and none of them tells. All of them end connections, so cursors
 * hold while none is lost, on one and the same server: its start, in microseconds, is its name. A number of transactions that is lower
 * than one that was seen before says the same where a server is put back without its connections noticing.
 */
export class History {
  /** Drawn anew whenever what was read may not have been. */
  #era = randomUUID()
  #server: string | undefined
  /** The highest number of a transaction that any answer told of. */
  #newest = 0
  readonly #servers = new WeakMap<ClientBase, string>()
  readonly #listeners = new Set<() => void>()

  /** To be asked before a read is sent, and given back with its answer: answers may overtake each other. */
  get floor(): number {
    return this.#newest
  }

  /** What a reader on this connection may go on with: a cursor of another name starts over. */
  nameOn(client: ClientBase): string {
    return `${this.#servers.get(client) ?? ''} ${this.#era}`
  }

  /** Asks a connection which server it leads to, and how far that has come. */
  async learn(client: ClientBase): Promise<void> {
    const { floor } = this
    const [row] = (await send(client, LEARN, [])).rows
    if (row === undefined) return
    this.#servers.set(client, row.server)
    const isAnother = this.#server !== undefined && this.#server !== row.server
    this.#server = row.server
    if (isAnother) this.#reset(Number(row.newest))
    else this.saw(Number(row.newest), floor)
  }

  /** Notes how far the database has come; false where that is less far than it was before the question. */
  saw(newest: number, floor: number): boolean {
    if (newest < floor) {
      this.#reset(newest)
      return false
    }
    this.#newest = Math.max(this.#newest, newest)
    return true
  }

  /** A connection was lost: what follows may be another past, so whoever reads by a cursor starts over. */
  doubt(): void {
    this.#era = randomUUID()
  }

  /** Told when the database is known to be another one, or to have gone back. */
  onReset(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #reset(newest: number): void {
    this.#newest = newest
    this.doubt()
    for (const listener of this.#listeners) listener()
  }
}
