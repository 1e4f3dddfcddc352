import { randomBytes } from 'node:crypto'

/** Access to a page for operators: everybody, nobody, or callers with the token. */
export type PageAccess = 'open' | 'closed' | { readonly token: string }

/** A random token that nobody knows: every caller is refused and told what is missing. */
const UNKNOWN_TOKEN = randomBytes(32).toString('hex')

/** The token that such a page demands, where it demands one. */
export const tokenOf = (access: PageAccess): { readonly token?: string } =>
  access === 'open' ? {} : { token: access === 'closed' ? UNKNOWN_TOKEN : access.token }
