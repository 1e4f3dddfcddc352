import { readFileSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import { Client, type ClientConfig } from 'pg'

type TlsOptions = Exclude<ClientConfig['ssl'], boolean | undefined>

/** The way to a server as the driver takes it: a URL without its settings of TLS, and what those mean. */
export type PostgresAddress = Pick<ClientConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>

/** The parameters of a URL that speak of TLS. */
const PARAMETERS = [
  'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl', 'uselibpqcompat',
] as const // biome-ignore format: a list of words
type Parameters = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

/** Those of libpq. */
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
/** The driver's own: `require` without an authority. */
const NO_VERIFY = 'no-verify'
/** What the driver's own `ssl=` means where there is no `sslmode`. */
const MODE_OF_SSL: Readonly<Record<string, string>> = {
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
  [NO_VERIFY]: NO_VERIFY,
}

/**
 * Returns how the driver reaches the server of a URL, with `sslmode` as libpq means it; the driver alone takes each mode but `disable` for
 * `verify-full`. It makes one attempt: `allow` goes without TLS, and `prefer` with it. Throws StorageUnavailable with one line where the URL, or
 * a file that it names, cannot be read; the line never holds the URL.
 */
export function postgresAddress(url: string): PostgresAddress {
  const { connectionString, parameters } = divided(url)
  // A socket file has no TLS, whatever is asked for.
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
    // The driver's error is about a URL, which is not to be seen.
    throw new StorageUnavailable(
      'PostgreSQL: its URL cannot be read; percent-encode @ # / : ? % and spaces in user and password (@ is %40)',
    )
  }
}

/** Undefined where the URL says nothing of TLS: the driver goes without then, or as PGSSLMODE has it. */
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
  // libpq has it so: with an authority named, `require` asks for its signature.
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

/** `system` is Node's own list of authorities, as is no file at all. */
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
