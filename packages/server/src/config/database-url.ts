import { join } from 'node:path'
import { Fault } from './setting'

/** A URL without its password. */
export const redacted = (url: string): string => url.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:***@')

/** The file of a SQLite URL as it was written; undefined for any other URL. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length).replace(/^\/\//, '') : undefined

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** Storage for those who name none: one file in the data folder. */
export const defaultDatabaseUrl = (dataDirectory: string): string => `sqlite:${join(dataDirectory, 'matchyard.db')}`

/** A URL that names a lasting storage. */
export function databaseUrl(text: string): string | Fault {
  const path = sqlitePathOf(text)
  if (path !== undefined && path !== '' && path !== ':memory:') return text
  if (/^postgres(ql)?:\/\/./.test(text)) return text
  return new Fault(`${JSON.stringify(redacted(text))} is not a storage; give sqlite:./file.db or postgres://…`)
}

/** A URL of PostgreSQL, which alone has sessions. */
export function listenUrl(text: string): string | Fault {
  if (/^postgres(ql)?:\/\/./.test(text)) return text
  return new Fault(
    `${JSON.stringify(redacted(text))} is no PostgreSQL; give postgres://…, the database of DATABASE_URL without a pooler`,
  )
}
