import type { Settings } from '../options'
import { BorrowedPool } from './borrowed-pool'
import type { Connections } from './connections'
import { type ConnectionPool, ownPool } from './pool'

/** Returns the pool that the options name: the pool of the program, or one of the storage's own connections. */
export const poolOf = (settings: Settings, connections: Connections): ConnectionPool =>
  settings.pool === undefined ? ownPool(settings, connections) : new BorrowedPool(settings.pool, settings, connections)
