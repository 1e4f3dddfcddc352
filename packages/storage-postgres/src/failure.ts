import { StorageUnavailable } from '@matchyard/core/ports'
import type { DatabaseError } from 'pg'
import { isDatabaseError } from './database-error'
import { doorRefusal, grantFor, tlsRefusal } from './refusals'

const FULL = 'the disk is full'
/**
 * Advice that is added to the message "does not exist", because PostgreSQL gives the same error for a schema that the
 * role may not use.
 */
const OR_CLOSED = '; where it is there, run GRANT ALL ON SCHEMA … TO … as its owner'

/**
 * Meanings of PostgreSQL's error codes, for the operator of the service. A code of two characters is the prefix of a
 * class of codes.
 */
const MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  ['57014', 'a statement took too long and was cancelled'],
  ['57P03', 'the server is starting up or shutting down'],
  ['57', 'the server ended the connection'],
  ['53300', 'the server has no connection to spare'],
  ['53100', FULL],
  ['53', 'the server is out of resources'],
  ['28', 'user or password are refused: in a URL, percent-encode @ # / : ? % and spaces in them'],
  ['3D', 'the database does not exist'],
  ['3F', `the schema does not exist: migrate it first${OR_CLOSED}`],
  ['42501', 'the user may not do this'],
  ['42P01', `a table does not exist: migrate it first${OR_CLOSED}`],
  ['25006', 'the server is read-only'],
  ['25P03', 'the server ended an idle transaction'],
  ['40', 'transactions kept getting into each other'],
  ['55', 'another program has locked the data'],
  ['08', 'the connection failed'],
  ['58', 'the disk fails'],
  ['XX', 'the server reports damage'],
]

/**
 * Codes of lost races, after which the transaction runs again: deadlocks, serialization failures, and rows that another
 * transaction changed or inserted after this transaction read them.
 */
const RACES = new Set(['40P01', '40001', '23505', '22012'])

/**
 * Codes for prepared statements that the server no longer accepts: after a migration by another node, or behind a
 * pooler.
 */
const STALE_PLANS = new Set(['26000', '0A000', '08P01'])

const codeOf = (error: unknown) => (isDatabaseError(error) ? (error.code ?? '') : '')
const isFatal = (error: DatabaseError) => error.severity === 'FATAL' || error.severity === 'PANIC'

const isBug = (error: unknown) =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError

/**
 * Whether the connection was lost before the answer arrived. Every error of the driver that the server did not send
 * counts as a lost connection.
 */
export const isConnectionLoss = (error: unknown): boolean =>
  isDatabaseError(error) ? isFatal(error) : !(error instanceof StorageUnavailable || isBug(error))

export const isRace = (error: unknown): boolean => RACES.has(codeOf(error))
export const isStalePlan = (error: unknown): boolean => STALE_PLANS.has(codeOf(error))

function meaningOf(error: DatabaseError): string | undefined {
  const { code = '' } = error
  const meaning = MEANINGS.find(([prefix]) => code.startsWith(prefix))?.[1]
  if (code.startsWith('28')) return doorRefusal(error) ?? meaning
  return code === '42501' ? `${meaning}: ${grantFor(error)}` : meaning
}

/**
 * Returns a failure of the database as StorageUnavailable with a message of one line. Any other error (a bug) is
 * returned unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof StorageUnavailable || isBug(error)) return error
  if (!isDatabaseError(error)) {
    const tls = tlsRefusal(error)
    return unavailable(`${tls ?? 'the server cannot be reached'} (${reasonOf(error)})`, error)
  }
  if (isOfPooler(error)) return unavailable(`${POOLER} (${error.message})`, error)
  const meaning = meaningOf(error)
  if (meaning === undefined && !isFatal(error)) return error
  return unavailable(
    `${meaning ?? 'the server ended the connection'} (${error.code}: ${error.message})`,
    error,
    meaning === FULL,
  )
}

const POOLER =
  'a pooler in front of it takes no settings of a session: give DATABASE_LISTEN_URL (listenUrl), an address without it'
/** Whether PgBouncer refused session settings. It refuses settings that its configuration does not list as ignored. */
const isOfPooler = ({ code, message }: DatabaseError) => code === '08P01' && message.includes('startup parameter')

const unavailable = (text: string, cause: unknown, isFull = false) =>
  new StorageUnavailable(`PostgreSQL: ${text}`, { cause, isFull })

// When a host name has several addresses, Node throws one error without a message, which contains one error for each
// address.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
