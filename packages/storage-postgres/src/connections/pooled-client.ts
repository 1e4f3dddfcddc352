import { StorageUnavailable } from '@matchyard/core/ports'
import { type Client, type ClientConfig, DatabaseError, type QueryConfig, type QueryResult } from 'pg'
import type { Settings } from '../options'
import { together } from '../send'
import { PLANNING, quoted, timeLimits } from './session'

/** What the check of the schema fails with: a division by zero, before anything else of the transaction is done. */
const REFUSED = '22012'

/**
 * The driver's client on a pooler in transaction mode (PgBouncer), where a session lasts as long as a transaction: whatever a session
 * keeps elsewhere each transaction says anew, in the message that begins it. No statement keeps a name, for the next one may come to a
 * server process that never heard it. A statement by itself is put between a beginning and an end, all three sent at once, so that it takes one
 * round trip as before.
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
      // The first that fails is why; the others fail because of it.
      if (begun?.status === 'rejected') throw begun.reason
      if (answered?.status === 'rejected') throw answered.reason
      if (ended?.status === 'rejected') throw ended.reason
      if (answered === undefined) throw new TypeError('three were sent')
      return answered.value
    }

    /** Answers what `begin` alone would. */
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
 * As `prepareSession` has it, for one transaction. And the schema is one on which this code may run: elsewhere a migration ends the connections of
 * nodes that it leaves behind, but those that lead to a pooler stay. Reading the row keeps a migration waiting until the transaction is over.
 */
function preludeOf(settings: Settings, knownSchema: number): string {
  const schema = quoted(settings.schema)
  const local = Object.entries({ search_path: schema, ...PLANNING, ...timeLimits(settings) })
  const said = local.map(([name, value]) => `set_config(${literal(name)}, ${literal(String(value))}, true)`)
  const bears = `version <= ${knownSchema} or oldest_code <= ${knownSchema}`
  return `select ${said.join(', ')}; select 1 / (case when ${bears} then 1 else 0 end) from ${schema}.schema_version`
}
