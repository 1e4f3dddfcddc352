import type { ClientBase, PoolClient, QueryConfig } from 'pg'
import type { Settings } from '../options'
import { perTransaction, queryOf, type SendQuery } from './per-transaction'
import { types } from './session'

/** The methods of a connection that the storage calls. */
type Used = Pick<PoolClient, 'query' | 'release' | 'on' | 'once' | 'off'>

/**
 * A connection of the program's pool, as the storage uses it: values are parsed as the storage needs them, whatever
 * parsers the program has set, and no statement has a name that the program could use for another statement.
 */
class BorrowedClient {
  readonly query: ClientBase['query']

  constructor(
    private readonly client: PoolClient,
    query: (self: ClientBase, sendQuery: SendQuery) => ClientBase['query'],
    readonly release: (isBroken?: boolean) => void,
  ) {
    const ask: SendQuery = (sent) => client.query({ ...sent, types })
    const { pipeline } = client as unknown as { readonly pipeline?: boolean }
    this.query = query(this as unknown as ClientBase, pipeline ? ask : inTurn(ask))
  }

  /** Part of the driver's client that leads to its socket. */
  get connection(): unknown {
    return (this.client as unknown as { readonly connection: unknown }).connection
  }

  on(...[event, listener]: Parameters<Used['on']>): this {
    this.client.on(event, listener)
    return this
  }

  once(...[event, listener]: Parameters<Used['once']>): this {
    this.client.once(event, listener)
    return this
  }

  off(...[event, listener]: Parameters<Used['off']>): this {
    this.client.off(event, listener)
    return this
  }
}

/** Sends each statement after the answer to the one before: the driver warns of a client that is asked too early. */
function inTurn(ask: SendQuery): SendQuery {
  let last: Promise<unknown> = Promise.resolve()
  return (query) => {
    const answer = last.then(() => ask(query))
    last = answer.catch(() => {})
    return answer
  }
}

const nameless = (_self: ClientBase, sendQuery: SendQuery) =>
  ((given: string | QueryConfig, values?: unknown[]) => sendQuery(queryOf(given, values))) as ClientBase['query']

/** Returns a connection of the program's pool whose session is the storage's until its release. */
export const borrowedSession = (client: PoolClient, release: (isBroken?: boolean) => void): PoolClient =>
  new BorrowedClient(client, nameless, release) as unknown as PoolClient

/** Returns a connection of the program's pool that leaves nothing in the session after each transaction. */
export const borrowedClient = (
  client: PoolClient,
  settings: Settings,
  release: (isBroken?: boolean) => void,
): PoolClient =>
  new BorrowedClient(
    client,
    (self, sendQuery) => perTransaction(self, settings, sendQuery),
    release,
  ) as unknown as PoolClient
