import type { DatabaseError } from 'pg'
import { quoted } from './quoted'

/** Remedy when the server's certificate is signed by an unknown authority. */
const UNKNOWN_AUTHORITY =
  'its certificate is of no authority that is known here: name that one, or the certificate itself, by sslrootcert=/path/to/ca.pem, or encrypt without knowing the server by sslmode=require without sslrootcert'

/** Explanations of failed TLS connections, each with a remedy, by the code of Node's error. */
const TLS_REMEDIES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another name: give the host that the certificate names, or leave the name out of account by sslmode=verify-ca',
  CERT_HAS_EXPIRED: 'its certificate has expired: give the server a new one',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: look at the clocks of this machine and of the server',
}

/** Message of the driver when the server has no TLS. */
const NO_TLS = 'The server does not support SSL connections'

/** Returns the reason why TLS failed and a remedy; undefined for a failure of another kind. */
export function tlsRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message === NO_TLS) {
    return 'the server has no TLS: turn it on there (ssl = on), or give sslmode=disable where the network between is your own'
  }
  return 'code' in error && typeof error.code === 'string' ? TLS_REMEDIES[error.code] : undefined
}

/**
 * Returns the reason and a remedy when a server refuses a connection (error class 28). Returns undefined when the cause
 * can only be a wrong user or password.
 */
export function doorRefusal({ message }: DatabaseError): string | undefined {
  // PostgreSQL 13 writes "SSL off" instead of "no encryption".
  if (message.includes('pg_hba.conf') && /no encryption|SSL off/.test(message)) {
    return 'the server lets nobody in without TLS: give sslmode=require, or better verify-full, unless its pg_hba.conf has no line for this user, database and address'
  }
  if (message.includes('valid client certificate')) {
    return 'the server asks for a certificate of the client: name it by sslcert and sslkey'
  }
  return undefined
}

/** Returns advice on how to give a role the missing right (code 42501). */
export function grantFor({ message }: DatabaseError): string {
  const [, kind = '', name = ''] = /^permission denied for (\w+) (.+)/.exec(message) ?? []
  if (kind === 'database') return `as the owner of the database, run GRANT CREATE ON DATABASE ${quoted(name)} TO …`
  if (kind === 'schema') return `as the owner of the schema, run GRANT ALL ON SCHEMA ${quoted(name)} TO …`
  if (message.startsWith('must be owner of')) {
    return 'a migration changes the tables: run matchyard migrate as their owner, or ALTER TABLE … OWNER TO …'
  }
  return 'as the owner, run GRANT ALL ON ALL TABLES IN SCHEMA … TO … and GRANT ALL ON ALL SEQUENCES IN SCHEMA … TO …'
}
