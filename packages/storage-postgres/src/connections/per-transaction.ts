import { StorageUnavailable } from '@matchyard/core/ports'
import type { ClientBase, QueryConfig, QueryResult } from 'pg'
import { isDatabaseError } from '../database-error'
import { MIGRATIONS } from '../migrations/index'
import type { Settings } from '../options'
import { quoted } from '../quoted'
import { together } from '../send'
import { PLANNING, timeLimits } from './session'

/** Error code of a failed schema check: a division by zero, before any other statement of the transaction. */
const REFUSED = '22012'

/** Sends one statement on a connection. */
export type SendQuery = (query: QueryConfig) => Promise<QueryResult>

/** Returns the text and the values of a statement, without its name. */
export function queryOf(given: string | QueryConfig, values?: unknown[]): QueryConfig {
  const { text, values: bound } = typeof given === 'string' ? { text: given, values } : given
  return bound === undefined ? { text } : { text, values: bound }
}

/**
 * Returns the function `query` for a connection whose session is the storage's for one transaction at a time. Each
 * transaction sets the session's settings again, in the message that begins it. No statement has a name: the next
 * transaction may run in a session that does not know the name. A statement outside of a transaction is sent between
 * BEGIN and COMMIT, all three at once, so that it still takes one round trip.
 */
export function perTransaction(client: ClientBase, settings: Settings, sendQuery: SendQuery): ClientBase['query'] {
  const prelude = preludeOf(settings)
  let isInside = false

  const begin = async (text: string): Promise<QueryResult> => {
    try {
      const answers: unknown = await sendQuery({ text: `${text}; ${prelude}` })
      return (answers as readonly [QueryResult])[0]
    } catch (error) {
      throw told(error)
    }
  }

  const alone = async (query: QueryConfig): Promise<QueryResult> => {
    const sent = together(client, () => [begin(BEGIN), sendQuery(query), sendQuery({ text: 'commit' })])
    const [begun, answered, ended] = await Promise.allSettled(sent)
    // When several statements fail, the first failure caused the other failures.
    if (begun?.status === 'rejected') throw begun.reason
    if (answered?.status === 'rejected') throw answered.reason
    if (ended?.status === 'rejected') throw ended.reason
    if (answered === undefined) throw new TypeError('three were sent')
    return answered.value
  }

  const query = (given: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
    const one = queryOf(given, values)
    const { text } = one
    if (text.startsWith('begin')) {
      isInside = true
      return begin(text)
    }
    if (text === 'commit' || text === 'rollback') {
      isInside = false
      return sendQuery(one)
    }
    return isInside ? sendQuery(one) : alone(one)
  }
  return query as unknown as ClientBase['query']
}

/** Begins the transaction of one statement, whatever the defaults of the session are. */
const BEGIN = 'begin isolation level read committed read write'

function told(error: unknown): unknown {
  if (!(isDatabaseError(error) && error.code === REFUSED)) return error
  return new StorageUnavailable(
    'PostgreSQL: the schema is too new for this version: run a newer version of the service',
    { cause: error },
  )
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Returns the SQL that sets the settings of `prepareSession` for one transaction and checks that this code may run on
 * the schema. A migration ends the connections of nodes whose code is too old, but neither connections to a pooler nor
 * connections of the program's pool, so each transaction checks. The check reads a row that a migration locks, so a
 * migration also waits until the transaction has ended.
 */
function preludeOf(settings: Settings): string {
  const known = MIGRATIONS.length
  // Temporary tables come last: by default they come first, and a temporary table of the program would hide a table.
  const path = `${quoted(settings.schema)}, pg_temp`
  const local = Object.entries({ search_path: path, ...PLANNING, ...timeLimits(settings) })
  const said = local.map(([name, value]) => `set_config(${literal(name)}, ${literal(String(value))}, true)`)
  const bears = `version <= ${known} or oldest_code <= ${known}`
  const check = `select 1 / (case when ${bears} then 1 else 0 end) from ${quoted(settings.schema)}.schema_version`
  return `select ${said.join(', ')}; ${check}`
}
