import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { send } from '../send'
import { statement } from '../statements/statement'

interface Learnt {
  readonly server: string
  readonly newest: string
  /** Whether a visible commit is on the server's disk, so that a crash of the server cannot lose it. */
  readonly kept: 't' | 'f'
}

const LEARN = statement<Learnt>(
  'learn_history',
  `select extract(epoch from pg_postmaster_start_time())::text as server,
     pg_snapshot_xmax(pg_current_snapshot())::text as newest,
     case when current_setting('synchronous_commit') = 'off' then 'f' else 't' end as kept`,
)

/** Maximum number of this process's given-up names that are remembered. Cursors of readers are up to an hour old. */
const MAX_GIVEN_UP = 1_000

/**
 * Judges whether data read earlier is still part of the database's past. A failover, a restored backup and a power cut
 * under `synchronous_commit = off` lose acknowledged commits without a message. All of them end connections. So a
 * cursor is valid while no connection is lost and the server is the same one; the name of a server is its start time,
 * in microseconds. A transaction number below an earlier one shows a server that was set back without a lost
 * connection.
 */
export class History {
  /** Random name, replaced whenever data read before may be lost. */
  #era = randomUUID()
  readonly #givenUp = new Set<string>()
  #server: string | undefined
  /**
   * Whether this server is known to have gone back. Then only this process's own names are valid, from that moment on.
   */
  #wentBack = false
  /** Highest transaction number in any answer. */
  #newest = 0
  readonly #servers = new WeakMap<ClientBase, Pick<Learnt, 'server' | 'kept'>>()
  /** Server of the connection that asked last; behind a pooler all other connections lead to the same server. */
  #latest: Pick<Learnt, 'server' | 'kept'> | undefined
  readonly #listeners = new Set<() => void>()

  /**
   * Highest transaction number so far. Read it before a request is sent, and pass it to `saw` with the answer: answers
   * may overtake each other.
   */
  get floor(): number {
    return this.#newest
  }

  /** Returns the name of the past that a reader on this connection sees. A cursor with another name starts over. */
  nameOn(client: ClientBase): string {
    return `${this.#of(client)?.server ?? ''} ${this.#era}`
  }

  /**
   * Whether a reader on this connection may continue a cursor that was made under a name. The name may be this
   * process's, or that of another process on the same server, whose readers come here after its end. A name that this
   * process gave up stays invalid.
   */
  holdsOn(client: ClientBase, name: string): boolean {
    if (name === this.nameOn(client)) return true
    const known = this.#of(client)
    if (known === undefined || known.kept === 'f' || this.#wentBack) return false
    const [server, era = ''] = name.split(' ')
    return server === known.server && !this.#givenUp.has(era)
  }

  /** Asks a connection for its server and for that server's newest transaction number. */
  async learn(client: ClientBase): Promise<void> {
    const { floor } = this
    const [row] = (await send(client, LEARN, [])).rows
    if (row === undefined) return
    this.#servers.set(client, row)
    // The first answer of a server counts: the session for signals turns `synchronous_commit` off, but only for itself.
    if (this.#latest?.server !== row.server) this.#latest = row
    const isAnother = this.#server !== undefined && this.#server !== row.server
    this.#server = row.server
    if (isAnother) this.#reset(Number(row.newest), { wentBack: false })
    else this.saw(Number(row.newest), floor)
  }

  /**
   * Notes the newest transaction number of an answer. Returns false when it is below `floor`, the number known before
   * the request.
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
   * Invalidates the present name after a connection was lost: the next connection may show another past, so readers
   * with a cursor start over.
   */
  doubt(): void {
    this.#givenUp.add(this.#era)
    const [oldest] = this.#givenUp
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest)
    this.#era = randomUUID()
  }

  /** Adds a listener that is called when the database is known to be another one, or to have gone back. */
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
