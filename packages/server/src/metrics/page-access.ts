import { randomBytes } from 'node:crypto'

/** Access to a page for operators: everybody, nobody, or callers with the token. */
export type PageAccess = 'open' | 'closed' | { readonly token: string }

/** Random token that nobody knows. With it, every caller is refused, and the answer says that a token is missing. */
const UNKNOWN_TOKEN = randomBytes(32).toString('hex')

/** Returns the token that a page requires, as an option; an empty object for a page that everybody may read. */
export const tokenOf = (access: PageAccess): { readonly token?: string } =>
  access === 'open' ? {} : { token: access === 'closed' ? UNKNOWN_TOKEN : access.token }
