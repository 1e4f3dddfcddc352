import type { Client, ClientConfig } from 'pg'
import type { Settings } from '../options'
import { perTransaction } from './per-transaction'

/**
 * Returns the driver's client class for a pooler in transaction mode (PgBouncer), where a session lasts as long as a
 * transaction.
 */
export const pooledClient = (Base: typeof Client, settings: Settings): typeof Client =>
  class extends Base {
    constructor(config?: string | ClientConfig) {
      super(config)
      this.query = perTransaction(this, settings, (query) => super.query(query)) as Client['query']
    }
  }
