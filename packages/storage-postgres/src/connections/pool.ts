import { type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Settings } from '../options'
import type { Connections } from './connections'
import { connectionConfig, poolConfig } from './session'

/** A connection whose session no other caller shares. */
export interface Session {
  readonly client: ClientBase
  /** Ends the connection; never rejects. */
  end(): Promise<void>
}

/** Pool of the storage's connections: a pool of its own, or the pool of the program that embeds the storage. */
export interface ConnectionPool {
  /** Whether `connect` would open a connection now. */
  readonly opens: boolean
  /** Resolves with a connection for one transaction, which the caller releases. */
  connect(): Promise<PoolClient>
  openSession(): Promise<Session>
  /** Resolves when every connection is released. */
  close(): Promise<void>
}

/** Returns the pool of the storage's own connections. */
export function ownPool(settings: Settings, connections: Connections): ConnectionPool {
  const config: PoolConfig & { onConnect: (client: ClientBase) => Promise<void> } = {
    ...poolConfig(settings),
    Client: connections.PoolClient,
    max: settings.poolSize,
    onConnect: (client) => connections.preparePooled(client),
  }
  const pool = new Pool(config)
  pool.on('error', (error) => connections.lostIdle(error))
  let ended: Promise<void> | undefined
  return {
    get opens() {
      return pool.idleCount === 0 && pool.totalCount < settings.poolSize
    },
    connect: () => pool.connect(),
    openSession: () => ownSession(settings, connections),
    close() {
      ended ??= pool.end()
      return ended
    },
  }
}

/** Opens a connection to the server itself, besides every pool. */
export async function ownSession(settings: Settings, connections: Connections): Promise<Session> {
  const client = new connections.Client(connectionConfig(settings) as ClientConfig)
  const end = () => client.end().catch(() => {})
  // The statement that waits for an answer on a broken connection reports the failure.
  client.on('error', () => {})
  try {
    await client.connect()
    await connections.prepare(client)
  } catch (error) {
    void end()
    throw error
  }
  return { client, end }
}
