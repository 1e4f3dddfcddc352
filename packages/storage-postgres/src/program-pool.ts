/** The part of `pg.Pool` that the storage uses. Every `Pool` of `pg` 8 has it. */
export interface PostgresPool {
  /** Resolves to a connection that the storage gives back with `release`. */
  connect(): Promise<{
    /** Gives the connection back to the pool, or closes it. */
    release(destroy?: boolean): void
  }>
  /** Number of open connections. */
  readonly totalCount: number
  /** Number of open connections that nobody uses. */
  readonly idleCount: number
  /** Whether the pool is being closed. */
  readonly ending: boolean
  /** Options of the pool. */
  readonly options: {
    /** Maximum number of connections. */
    readonly max?: number | undefined
  }
  /** Registers a function that gets the errors of idle connections. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Removes a registered function. */
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** Connections of a pool for which the program gives no maximum; the default of `pg`. */
const DEFAULT_MAX = 10
/** Minimum number of connections for reads and commits. */
const FOR_CALLS = 2

/**
 * Returns the number of connections of the program's pool that the storage uses for reads and commits. Throws TypeError
 * for a pool with too few connections. `listens`: whether a connection of the pool listens for signals.
 */
export function connectionsOf(pool: PostgresPool, listens: boolean): number {
  if (typeof pool?.connect !== 'function') {
    throw new TypeError('postgresStorage: pool must be a Pool of the package pg, such as new pg.Pool({ … })')
  }
  const max = pool.options?.max ?? DEFAULT_MAX
  const needed = FOR_CALLS + (listens ? 1 : 0)
  if (max >= needed) return listens ? max - 1 : max
  const why = listens ? ', because one connection listens for signals until the storage is closed' : ''
  throw new TypeError(
    `postgresStorage: the pool has at most ${max} connections, and the storage needs ${needed}${why}: create the pool with max: ${DEFAULT_MAX}`,
  )
}
