import { join } from 'node:path'
import { Fault } from './setting'

/** The file of a SQLite URL as it was written; undefined for any other URL. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length).replace(/^\/\//, '') : undefined

/**
 * Returns a URL without its password, in any spelling: everything between the first colon of the user and the last `@` is hidden, and
 * everything after `password=`.
 */
export function redacted(url: string): string {
  if (sqlitePathOf(url) !== undefined) return url
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?(.*)$/is.exec(url) ?? []
  return `${scheme}${withoutPassword(rest, scheme !== '')}`.replace(/(password\s*=).*/is, '$1***')
}

function withoutPassword(rest: string, isUrl: boolean): string {
  const at = rest.lastIndexOf('@')
  const colon = rest.indexOf(':')
  if (at >= 0) return colon >= 0 && colon < at ? `${rest.slice(0, colon)}:***${rest.slice(at)}` : rest
  // No host follows, for example when a shell took the rest for a comment: text that is no port is the beginning of a password.
  const isWhole = !isUrl || /^(?:\[[^\]]*\]|[^:/?#]*)(?::\d+)?(?:[/?]|$)/.test(rest)
  return isWhole ? rest : `${rest.slice(0, Math.max(colon, 0))}:***`
}

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** Storage for those who name none: one file in the data folder. */
export const defaultDatabaseUrl = (dataDirectory: string): string => `sqlite:${join(dataDirectory, 'matchyard.db')}`

/** A URL that names a lasting storage. */
export function databaseUrl(text: string): string | Fault {
  const path = sqlitePathOf(text)
  if (path !== undefined && path !== '' && path !== ':memory:') return text
  if (/^postgres(ql)?:\/\/./.test(text)) return postgresUrl(text)
  return new Fault(`${JSON.stringify(redacted(text))} is not a storage; give sqlite:./file.db or postgres://…`)
}

/** A URL of PostgreSQL, which alone has sessions. */
export function listenUrl(text: string): string | Fault {
  if (/^postgres(ql)?:\/\/./.test(text)) return postgresUrl(text)
  return new Fault(
    `${JSON.stringify(redacted(text))} is no PostgreSQL; give postgres://…, the database of DATABASE_URL without a pooler`,
  )
}

const postgresUrl = (text: string): string | Fault => {
  const fault = postgresUrlFault(text)
  return fault === undefined ? text : new Fault(fault)
}

/** Returns what is wrong with a URL of PostgreSQL that cannot be read as it was meant; undefined for a good one. */
export function postgresUrlFault(url: string): string | undefined {
  const isRead = URL.canParse(url) || URL.canParse(url.replace('@/', '@host/'))
  if (isRead && !isCut(url)) return undefined
  return `${JSON.stringify(redacted(url))} cannot be read; percent-encode @ # / : ? % and spaces in it, above all in its password (@ is %40, # is %23, / is %2F)`
}

/** Whether a character of the password may have ended the part that holds it: the rest would be taken for a host or a database, and be shown. */
const isCut = (url: string): boolean => url.includes('#') || url.replace(/^[^:]*:\/\/[^/?]*/, '').includes('@')
