import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { send } from '../send'
import { statement } from '../statements/statement'

interface Learnt {
  readonly server: string
  readonly newest: string
  /** Whether a commit that was seen is on the server's disk, so that no crash of it takes one back. */
  readonly kept: 't' | 'f'
}

const LEARN = statement<Learnt>(
  'learn_history',
  `select extract(epoch from pg_postmaster_start_time())::text as server,
     pg_snapshot_xmax(pg_current_snapshot())::text as newest,
     case when current_setting('synchronous_commit') = 'off' then 'f' else 't' end as kept`,
)

/** Names of this process's own that were given up and are remembered: readers bring cursors of an hour. */
const MAX_GIVEN_UP = 1_000

/**
 * Whether what was read is still a part of the database's past. A failover, a restored backup and a power cut under
 * `synchronous_commit = off` take back what was acknowledged, and none of them tells. All of them end connections, so cursors
 * hold while none is lost, on one and the same server: its start, in microseconds, is its name. A number of transactions that is lower
 * than one that was seen before says the same where a server is put back without its connections noticing.
 */
export class History {
  /** Drawn anew whenever what was read may not have been. */
  #era = randomUUID()
  readonly #givenUp = new Set<string>()
  #server: string | undefined
  /** Whether this server is known to have gone back: then nobody's word but this process's counts, and that from now on. */
  #wentBack = false
  /** The highest number of a transaction that any answer told of. */
  #newest = 0
  readonly #servers = new WeakMap<ClientBase, Pick<Learnt, 'server' | 'kept'>>()
  /** Of the connection that asked last: where a pooler is in between, the others lead to the same. */
  #latest: Pick<Learnt, 'server' | 'kept'> | undefined
  readonly #listeners = new Set<() => void>()

  /** To be asked before a read is sent, and given back with its answer: answers may overtake each other. */
  get floor(): number {
    return this.#newest
  }

  /** What a reader on this connection may go on with: a cursor of another name starts over. */
  nameOn(client: ClientBase): string {
    return `${this.#of(client)?.server ?? ''} ${this.#era}`
  }

  /**
   * Whether a reader on this connection may go on with what somebody read under a name: this process, or another one on the same
   * server, whose readers come here when it is gone. What this process gave up itself it does not take back.
   */
  holdsOn(client: ClientBase, name: string): boolean {
    if (name === this.nameOn(client)) return true
    const known = this.#of(client)
    if (known === undefined || known.kept === 'f' || this.#wentBack) return false
    const [server, era = ''] = name.split(' ')
    return server === known.server && !this.#givenUp.has(era)
  }

  /** Asks a connection which server it leads to, and how far that has come. */
  async learn(client: ClientBase): Promise<void> {
    const { floor } = this
    const [row] = (await send(client, LEARN, [])).rows
    if (row === undefined) return
    this.#servers.set(client, row)
    // The session for signals keeps nothing of its own, which says nothing of what the others do: its first word counts.
    if (this.#latest?.server !== row.server) this.#latest = row
    const isAnother = this.#server !== undefined && this.#server !== row.server
    this.#server = row.server
    if (isAnother) this.#reset(Number(row.newest), { wentBack: false })
    else this.saw(Number(row.newest), floor)
  }

  /** Notes how far the database has come; false where that is less far than it was before the question. */
  saw(newest: number, floor: number): boolean {
    if (newest < floor) {
      this.#reset(newest, { wentBack: true })
      return false
    }
    this.#newest = Math.max(this.#newest, newest)
    return true
  }

  /** A connection was lost: what follows may be another past, so whoever reads by a cursor starts over. */
  doubt(): void {
    this.#givenUp.add(this.#era)
    const [oldest] = this.#givenUp
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest)
    this.#era = randomUUID()
  }

  /** Told when the database is known to be another one, or to have gone back. */
  onReset(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #of(client: ClientBase): Pick<Learnt, 'server' | 'kept'> | undefined {
    return this.#servers.get(client) ?? this.#latest
  }

  #reset(newest: number, { wentBack }: { readonly wentBack: boolean }): void {
    this.#newest = newest
    this.#wentBack = wentBack
    this.doubt()
    for (const listener of this.#listeners) listener()
  }
}
