/** Parts of a container image reference, as the caller wrote them. */
export interface ImageReference {
  /** Registry with its port; null when the reference names no registry. The container platform then chooses one. */
  readonly domain: string | null
  readonly path: string
  readonly tag: string | null
  readonly digest: string | null
}

export type ParsedImageReference =
  | { readonly ok: true; readonly reference: ImageReference }
  | { readonly ok: false; readonly fault: string }

/** Maximum characters of domain and path together (distribution/reference, NameTotalLengthMax). */
const MAX_NAME_LENGTH = 255
const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])$/
const PORT = /^[0-9]{1,5}$/
const PATH_COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}$/
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/

/**
 * Reads `[domain[:port]/]path[:tag][@digest]` strictly: no scheme, no user info, a lower-case path (docs/http-api.md §4). Returns a fault
 * for other text. Source: the OCI distribution specification and the grammar of distribution/reference.
 */
export function parseImageReference(text: string): ParsedImageReference {
  if (text === '') return bad('must name an image, for example ghcr.io/acme/arena:1.4')
  if (/[^\x21-\x7e]/.test(text)) return bad('must be printable ASCII without spaces')
  if (text.includes('://'))
    return bad('must not have a scheme: write ghcr.io/acme/arena, not https://ghcr.io/acme/arena')
  const [named = '', digest = null, ...more] = text.split('@')
  if (more.length > 0 || (digest !== null && !DIGEST.test(digest))) {
    return bad(
      digest?.includes('/') === true
        ? 'must not contain a user name or password before the registry'
        : 'has an invalid digest: a digest is sha256: with 64, or sha512: with 128 lower-case hexadecimal digits',
    )
  }
  const { name, tag } = splitTag(named)
  if (tag !== null && !TAG.test(tag))
    return bad(`has the invalid tag "${tag}": a tag has 1 to 128 characters of a-z A-Z 0-9 _ . -`)
  if (name.length > MAX_NAME_LENGTH) return bad(`has a name that is longer than ${MAX_NAME_LENGTH} characters`)
  const { domain, path } = splitDomain(name)
  if (domain !== null && !isDomain(domain))
    return bad(`has the invalid registry "${domain}": a registry is a host name, with an optional port`)
  const wrong = path.split('/').find((component) => !PATH_COMPONENT.test(component))
  if (wrong !== undefined) return bad(pathFault(wrong))
  return { ok: true, reference: { domain, path, tag, digest } }
}

/** Returns the reference as text. */
export const formatImageReference = ({ domain, path, tag, digest }: ImageReference): string =>
  `${domain === null ? '' : `${domain}/`}${path}${tag === null ? '' : `:${tag}`}${digest === null ? '' : `@${digest}`}`

const bad = (fault: string): ParsedImageReference => ({ ok: false, fault })

// A colon after the last slash begins a tag. An earlier colon begins a port.
function splitTag(named: string): { name: string; tag: string | null } {
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  return colon === -1 ? { name: named, tag: null } : { name: named.slice(0, colon), tag: named.slice(colon + 1) }
}

// The first component is a registry when it has a dot, a colon or an upper-case letter, or is `localhost`.
function splitDomain(name: string): { domain: string | null; path: string } {
  const slash = name.indexOf('/')
  const first = name.slice(0, slash)
  const isRegistry = slash > 0 && (/[.:A-Z[]/.test(first) || first === 'localhost')
  return isRegistry ? { domain: first, path: name.slice(slash + 1) } : { domain: null, path: name }
}

function isDomain(domain: string): boolean {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(domain) ?? []
  if (!HOST.test(host)) return false
  return port === undefined || (PORT.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
}

function pathFault(component: string): string {
  if (component === '') return 'has an empty part in its path'
  if (/[A-Z]/.test(component)) return `has upper-case letters in its path: "${component}"`
  return `has the invalid part "${component}" in its path: a part consists of a-z and 0-9, separated by ".", "_", "__" or dashes`
}
