import { readFileSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import { Client, type ClientConfig } from 'pg'

type TlsOptions = Exclude<ClientConfig['ssl'], boolean | undefined>

/**
 * Address of a server in the form that the driver takes: the URL without its TLS parameters, and the driver's TLS
 * options that have the same effect.
 */
export type PostgresAddress = Pick<ClientConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>

/** URL parameters about TLS. */
const PARAMETERS = [
  'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl', 'uselibpqcompat',
] as const // biome-ignore format: a list of words
type Parameters = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

/** Values of `sslmode` that libpq knows. */
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
/** Value of `sslmode` that only the driver knows: like `require`, without a check of the certificate. */
const NO_VERIFY = 'no-verify'
/**
 * Value of `sslmode` that corresponds to each value of the driver's own parameter `ssl`. Used when the URL has no
 * `sslmode`.
 */
const MODE_OF_SSL: Readonly<Record<string, string>> = {
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
  [NO_VERIFY]: NO_VERIFY,
}

/**
 * Returns the address for the driver, with `sslmode` as libpq defines it. Without this, the driver treats every mode
 * except `disable` as `verify-full`. The driver tries to connect only once: without TLS for `allow`, with TLS for
 * `prefer`. Throws StorageUnavailable with a message of one line when the URL, or a file named in it, cannot be read.
 * The message never contains the URL.
 */
export function postgresAddress(url: string): PostgresAddress {
  const { connectionString, parameters } = divided(url)
  // A connection through a socket file never uses TLS.
  if (hostOf(connectionString).startsWith('/')) return { connectionString, ssl: false }
  const ssl = tlsOf(parameters)
  if (ssl === undefined) return { connectionString }
  const isDirect = ssl !== false && parameters.sslnegotiation === 'direct'
  return { connectionString, ssl, ...(isDirect && { sslnegotiation: 'direct' as const }) }
}

function divided(url: string): { connectionString: string; parameters: Parameters } {
  const [start = '', ...more] = url.split('?')
  const parameters: Partial<Record<string, string>> = {}
  const others = more
    .join('?')
    .split('&')
    .filter((pair) => {
      const [name = '', value = ''] = [...new URLSearchParams(pair)][0] ?? []
      if (!PARAMETERS.some((known) => known === name)) return pair !== ''
      parameters[name] = value
      return false
    })
  return { connectionString: others.length === 0 ? start : `${start}?${others.join('&')}`, parameters }
}

function hostOf(connectionString: string): string {
  try {
    return new Client({ connectionString }).host
  } catch {
    // The driver's error contains the URL, and with it the password.
    throw new StorageUnavailable(
      'PostgreSQL: its URL cannot be read; percent-encode @ # / : ? % and spaces in user and password (@ is %40)',
    )
  }
}

/**
 * Returns the driver's TLS options. Returns undefined when the URL has no TLS parameter; the driver then uses
 * PGSSLMODE, or no TLS.
 */
function tlsOf(parameters: Parameters): ClientConfig['ssl'] {
  const mode = modeOf(parameters)
  if (mode === undefined) return undefined
  if (mode === 'disable' || mode === 'allow') return false
  const options = filesOf(parameters)
  if (mode === 'verify-full') return options
  const isAnyNameGood: TlsOptions = { ...options, checkServerIdentity: () => undefined }
  if (mode === 'verify-ca') {
    if (options.ca !== undefined) return isAnyNameGood
    throw new StorageUnavailable(
      'PostgreSQL: sslmode=verify-ca needs sslrootcert, a file with the certificate of your authority; for a public authority take sslmode=verify-full',
    )
  }
  // As in libpq, `require` checks the signature of the certificate only when the URL names a certificate authority.
  return mode === 'require' && options.ca !== undefined ? isAnyNameGood : { ...options, rejectUnauthorized: false }
}

function modeOf({ sslmode, ssl = '', sslrootcert, sslcert, sslnegotiation }: Parameters) {
  const isImplied = sslrootcert !== undefined || sslcert !== undefined || sslnegotiation === 'direct'
  const named = sslmode ?? MODE_OF_SSL[ssl] ?? (isImplied ? 'verify-full' : undefined)
  if (named === undefined) return undefined
  const mode = [...MODES, NO_VERIFY].find((known) => known === named)
  if (mode !== undefined) return mode
  throw new StorageUnavailable(`PostgreSQL: its sslmode is not known; give one of ${MODES.join(', ')}`)
}

/**
 * Returns the contents of the certificate files. With `sslrootcert=system` and without `sslrootcert`, Node's own list
 * of authorities is used.
 */
const filesOf = ({ sslrootcert, sslcert, sslkey }: Parameters): TlsOptions => ({
  ...(sslrootcert !== undefined && sslrootcert !== 'system' && { ca: textOf('sslrootcert', sslrootcert) }),
  ...(sslcert !== undefined && { cert: textOf('sslcert', sslcert) }),
  ...(sslkey !== undefined && { key: textOf('sslkey', sslkey) }),
})

function textOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const file = JSON.stringify(path)
    throw new StorageUnavailable(`PostgreSQL: the file of ${parameter}, ${file}, cannot be read (${code})`, { cause })
  }
}
