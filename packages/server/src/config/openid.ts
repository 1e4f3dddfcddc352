import { Fault } from './setting'

/** OpenID provider by which people sign in to the console. */
export interface OpenIdConfig {
  /** Issuer: the URL under which the provider publishes its configuration. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Domains of e-mail addresses that may sign in, in lower case. */
  readonly domains: readonly string[]
}

export const PASSWORD_SIGN_IN = ['on', 'off'] as const

const MAX_DOMAINS = 50
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Reads the URL of an issuer: https, or http on this machine. */
export function issuerUrl(text: string): string | Fault {
  const url = text.length <= 512 && URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.hash === '' && url.search === ''
  if (url === undefined || !isPlain)
    return new Fault(`${JSON.stringify(text)} is not a URL; give one like https://accounts.example.com`)
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname))
    ? text
    : new Fault(`${JSON.stringify(text)} is not an https URL`)
}

/** Reads domains of e-mail addresses, separated by commas. */
export function emailDomains(text: string): readonly string[] | Fault {
  const domains = text.split(',').map((domain) => domain.trim().toLowerCase())
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined) return new Fault(`${JSON.stringify(wrong)} is not a domain; give some like example.com`)
  return domains.length > MAX_DOMAINS ? new Fault(`it has more than ${MAX_DOMAINS} domains`) : domains
}

interface OpenIdVariables {
  readonly OPENID_ISSUER: string | undefined
  readonly OPENID_CLIENT_ID: string | undefined
  readonly OPENID_CLIENT_SECRET: string | undefined
  readonly OPENID_DOMAINS: readonly string[] | undefined
  readonly PASSWORD_SIGN_IN: (typeof PASSWORD_SIGN_IN)[number]
  readonly PUBLIC_URL: string | undefined
}

const PARTS = ['OPENID_ISSUER', 'OPENID_CLIENT_ID', 'OPENID_CLIENT_SECRET', 'OPENID_DOMAINS'] as const

/** Returns the OpenID provider; undefined when none is set. */
export function openIdOf(data: OpenIdVariables): OpenIdConfig | undefined {
  const [issuer, clientId, clientSecret] = [data.OPENID_ISSUER, data.OPENID_CLIENT_ID, data.OPENID_CLIENT_SECRET]
  const domains = data.OPENID_DOMAINS
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || domains === undefined) return
  return { issuer, clientId, clientSecret, domains }
}

/** Returns the variables that an OpenID provider lacks, and a fault when nobody could sign in. */
export function openIdFaults(data: OpenIdVariables): ReadonlyMap<keyof OpenIdVariables, string> {
  const missing = PARTS.filter((name) => data[name] === undefined)
  const faults = new Map<keyof OpenIdVariables, string>()
  if (missing.length === PARTS.length) {
    if (data.PASSWORD_SIGN_IN === 'off')
      faults.set('PASSWORD_SIGN_IN', 'without an OpenID provider nobody could sign in; set OPENID_ISSUER, or set on')
    return faults
  }
  for (const name of missing) faults.set(name, `it is not set; an OpenID provider needs all of ${PARTS.join(', ')}`)
  if (data.PUBLIC_URL === undefined)
    faults.set('PUBLIC_URL', 'it is not set; the OpenID provider sends people back to this URL')
  return faults
}
