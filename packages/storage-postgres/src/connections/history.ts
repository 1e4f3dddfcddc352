import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { send } from '../send'
import { statement } from '../statements/statement'

interface Learnt {
  readonly server: string
  readonly newest: string
  /**
   * Whether the disk of the server has every visible commit (`t`), so that a crash of the server cannot lose any of
   * them.
   */
  readonly kept: 't' | 'f'
}

const LEARN = statement<Learnt>(
  'learn_history',
  `select extract(epoch from pg_postmaster_start_time())::text as server,
     pg_snapshot_xmax(pg_current_snapshot())::text as newest,
     case when current_setting('synchronous_commit') = 'off' then 'f' else 't' end as kept`,
)

/**
 * Maximum number of names that this process made invalid and still remembers. Readers' cursors are at most an hour old.
 */
const MAX_GIVEN_UP = 1_000

/**
 * Decides whether data that was read earlier is still part of the database's history. A failover, a restored backup and
 * a power cut under `synchronous_commit = off` lose acknowledged commits without a message, but all of them end
 * connections. A reader's cursor is therefore valid while no connection was lost and the server is the same. The name
 * of a server is its start time, in microseconds. A transaction number that is lower than an earlier number shows that
 * a server was set back without a lost connection.
 */
export class History {
  /** Random name of the current history. It is replaced whenever data that was read before may be lost. */
  #era = randomUUID()
  readonly #givenUp = new Set<string>()
  #server: string | undefined
  /**
   * Whether this server is known to have been set back. If it was, only names that this process made afterwards are
   * valid.
   */
  #wentBack = false
  /** Highest transaction number that any answer contained. */
  #newest = 0
  readonly #servers = new WeakMap<ClientBase, Pick<Learnt, 'server' | 'kept'>>()
  /**
   * Server of the connection that called `learn` last. Behind a pooler, all other connections lead to the same server.
   */
  #latest: Pick<Learnt, 'server' | 'kept'> | undefined
  readonly #listeners = new Set<() => void>()

  /**
   * Highest transaction number so far. Callers read it before they send a request, and pass it to `saw` with the
   * answer, because answers may arrive in another order than the requests.
   */
  get floor(): number {
    return this.#newest
  }

  /**
   * Returns the name of the history that a reader on this connection sees. A reader whose cursor has another name must
   * start from the beginning.
   */
  nameOn(client: ClientBase): string {
    return `${this.#of(client)?.server ?? ''} ${this.#era}`
  }

  /**
   * Whether a reader on this connection may continue with a cursor that has the given name. The name may come from this
   * process, or from another process on the same server: when a process ends, its readers continue on the others. A
   * name that this process has made invalid stays invalid.
   */
  holdsOn(client: ClientBase, name: string): boolean {
    if (name === this.nameOn(client)) return true
    const known = this.#of(client)
    if (known === undefined || known.kept === 'f' || this.#wentBack) return false
    const [server, era = ''] = name.split(' ')
    return server === known.server && !this.#givenUp.has(era)
  }

  /** Asks on a connection for the server's name and its newest transaction number. */
  async learn(client: ClientBase): Promise<void> {
    const { floor } = this
    const [row] = (await send(client, LEARN, [])).rows
    if (row === undefined) return
    this.#servers.set(client, row)
    // Only the first answer about a server is stored, because the connection for signals turns `synchronous_commit` off
    // for itself.
    if (this.#latest?.server !== row.server) this.#latest = row
    const isAnother = this.#server !== undefined && this.#server !== row.server
    this.#server = row.server
    if (isAnother) this.#reset(Number(row.newest), { wentBack: false })
    else this.saw(Number(row.newest), floor)
  }

  /**
   * Records the newest transaction number of an answer. Returns false when the number is lower than `floor`, the number
   * that was known before the request.
   */
  saw(newest: number, floor: number): boolean {
    if (newest < floor) {
      this.#reset(newest, { wentBack: true })
      return false
    }
    this.#newest = Math.max(this.#newest, newest)
    return true
  }

  /**
   * Makes the current name invalid after a connection was lost. The next connection may lead to another history, so
   * readers with a cursor start from the beginning.
   */
  doubt(): void {
    this.#givenUp.add(this.#era)
    const [oldest] = this.#givenUp
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest)
    this.#era = randomUUID()
  }

  /** Adds a listener that is called when the database is known to be another one, or to have been set back. */
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
