import { join } from 'node:path'
import { Fault } from './setting'

/** Returns the path of a SQLite URL, unchanged; undefined for any other URL. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length).replace(/^\/\//, '') : undefined

/**
 * Returns a URL without its password, in any spelling. Hides the text between the first colon of the user information
 * and the last `@`, and all text after `password=`.
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
  // The URL has no host, for example because a shell took the rest of the line as a comment. If the text after the
  // colon is not a port, it is then the beginning of a password.
  const isWhole = !isUrl || /^(?:\[[^\]]*\]|[^:/?#]*)(?::\d+)?(?:[/?]|$)/.test(rest)
  return isWhole ? rest : `${rest.slice(0, Math.max(colon, 0))}:***`
}

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** Returns the default storage: one file in the data folder. */
export const defaultDatabaseUrl = (dataDirectory: string): string => `sqlite:${join(dataDirectory, 'matchyard.db')}`

/** Reads the URL of a storage. Refuses a storage in memory, whose data would be lost. */
export function databaseUrl(text: string): string | Fault {
  const path = sqlitePathOf(text)
  if (path !== undefined && path !== '' && path !== ':memory:') return text
  if (/^postgres(ql)?:\/\/./.test(text)) return postgresUrl(text)
  return new Fault(`${JSON.stringify(redacted(text))} is not a storage; give sqlite:./file.db or postgres://…`)
}

/** Reads the URL of a PostgreSQL database for signals. Other databases are refused, because they send no signals. */
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

/**
 * Returns a sentence about a PostgreSQL URL that would be parsed in another way than its author meant; undefined for a
 * good URL.
 */
export function postgresUrlFault(url: string): string | undefined {
  const isRead = URL.canParse(url) || URL.canParse(url.replace('@/', '@host/'))
  if (isRead && !isCut(url)) return undefined
  return `${JSON.stringify(redacted(url))} cannot be read; percent-encode @ # / : ? % and spaces in it, above all in its password (@ is %40, # is %23, / is %2F)`
}

/**
 * Whether an unescaped special character in the password may have ended the user information too early. The rest of the
 * password would then be used as a host or a database name, which messages show.
 */
const isCut = (url: string): boolean => url.includes('#') || url.replace(/^[^:]*:\/\/[^/?]*/, '').includes('@')
