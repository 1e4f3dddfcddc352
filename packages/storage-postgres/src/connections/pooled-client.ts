import { StorageUnavailable } from '@matchyard/core/ports'
import { type Client, type ClientConfig, DatabaseError, type QueryConfig, type QueryResult } from 'pg'
import type { Settings } from '../options'
import { together } from '../send'
import { PLANNING, quoted, timeLimits } from './session'

/** Error code of a failed schema check: a division by zero, before any other statement of the transaction. */
const REFUSED = '22012'

/**
 * Returns the driver's client class for a pooler in transaction mode (PgBouncer), where a session lasts as long as a
 * transaction. Each transaction sets the session's settings again, in the message that begins it. No statement has a
 * name: the next transaction may run in a server process that does not know the name. A statement outside of a
 * transaction is sent between BEGIN and COMMIT, all three at once, so that it still takes one round trip.
 */
export const pooledClient = (Base: typeof Client, settings: Settings, knownSchema: number): typeof Client => {
  const prelude = preludeOf(settings, knownSchema)

  class PooledClient extends Base {
    #isInside = false

    constructor(config?: string | ClientConfig) {
      super(config)
      this.query = this.#query.bind(this) as unknown as Client['query']
    }

    #query(given: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
      const { text, values: bound } = typeof given === 'string' ? { text: given, values } : given
      const query = bound === undefined ? { text } : { text, values: bound }
      if (text.startsWith('begin')) {
        this.#isInside = true
        return this.#begin(text)
      }
      if (text === 'commit' || text === 'rollback') {
        this.#isInside = false
        return this.#send(query)
      }
      return this.#isInside ? this.#send(query) : this.#alone(query)
    }

    async #alone(query: QueryConfig): Promise<QueryResult> {
      const sent = together(this, () => [this.#begin('begin'), this.#send(query), this.#send({ text: 'commit' })])
      const [begun, answered, ended] = await Promise.allSettled(sent)
      // When several statements fail, the first failure caused the other failures.
      if (begun?.status === 'rejected') throw begun.reason
      if (answered?.status === 'rejected') throw answered.reason
      if (ended?.status === 'rejected') throw ended.reason
      if (answered === undefined) throw new TypeError('three were sent')
      return answered.value
    }

    /** Begins a transaction with its settings. Returns only the result of `begin`. */
    async #begin(text: string): Promise<QueryResult> {
      try {
        const answers: unknown = await this.#send({ text: `${text}; ${prelude}` })
        return (answers as readonly [QueryResult])[0]
      } catch (error) {
        throw told(error)
      }
    }

    #send(query: QueryConfig): Promise<QueryResult> {
      return super.query(query)
    }
  }
  return PooledClient
}

function told(error: unknown): unknown {
  if (!(error instanceof DatabaseError && error.code === REFUSED)) return error
  return new StorageUnavailable(
    'PostgreSQL: the schema is too new for this version: run a newer version of the service',
    {
      cause: error,
    },
  )
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Returns the SQL that sets the settings of `prepareSession` for one transaction and checks that this code may run on
 * the schema. Without a pooler, a migration ends the connections of nodes whose code is too old; connections to a
 * pooler stay open, so each transaction checks. The check reads a row that a migration locks, so a migration also waits
 * until the transaction has ended.
 */
function preludeOf(settings: Settings, knownSchema: number): string {
  const schema = quoted(settings.schema)
  const local = Object.entries({ search_path: schema, ...PLANNING, ...timeLimits(settings) })
  const said = local.map(([name, value]) => `set_config(${literal(name)}, ${literal(String(value))}, true)`)
  const bears = `version <= ${knownSchema} or oldest_code <= ${knownSchema}`
  return `select ${said.join(', ')}; select 1 / (case when ${bears} then 1 else 0 end) from ${schema}.schema_version`
}
