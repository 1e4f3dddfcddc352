import { randomBytes } from 'node:crypto'

/** Who may read a page for operators: everybody, nobody, or whoever has the token. */
export type PageAccess = 'open' | 'closed' | { readonly token: string }

/** Nobody knows it, so nobody gets in; and whoever tries is told what is missing. */
const UNKNOWN_TOKEN = randomBytes(32).toString('hex')

/** The token that such a page demands, where it demands one. */
export const tokenOf = (access: PageAccess): { readonly token?: string } =>
  access === 'open' ? {} : { token: access === 'closed' ? UNKNOWN_TOKEN : access.token }
