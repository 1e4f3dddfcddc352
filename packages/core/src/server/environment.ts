import { FORBIDDEN_KEYS } from '../catalog/free-form'
import { MAX_ENVIRONMENT_BYTES, MAX_ENVIRONMENT_VARIABLES } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import { SECRET_NAME_PATTERN } from '../project/secret'
import { byteSize, isWellFormed } from '../shared/json'

/** Environment variables that a queue sets for its game servers, by name. */
export type Environment = Readonly<Record<string, string>>

/** Names that programs and shells on every platform can read. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** Variables that the service sets for each game server. A name that ends with `*` stands for all names with this beginning. */
const OF_SERVICE = ['HOME', 'LANG', 'PATH', 'SVC_CONFIG_FILE', 'TRACEPARENT', 'PORT_*', 'MATCHYARD_*'] as const

/** Variables that a shell sets by itself. A game server starts through a shell, which would change or refuse these values. */
const OF_SHELL =
  '_ BASHOPTS BASHPID BASH_VERSINFO DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS LINENO OLDPWD '
    .concat('OPTIND PPID PWD RANDOM SECONDS SHELLOPTS SHLVL SRANDOM UID')
    .split(' ')

/**
 * Variables that make a program load other code at its start. Outside a sandbox, programs of the machine would load this code too.
 */
const LOADS_CODE = ['LD_*', 'DYLD_*', 'GLIBC_TUNABLES', 'NODE_OPTIONS', 'BASH_ENV'] as const

const isAmong = (name: string, list: readonly string[]): boolean =>
  list.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))

/** Returns the names of variables that no program may get outside a sandbox. */
export const unsafeOutsideSandbox = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => isAmong(name, LOADS_CODE))

// `$${` comes first in the pattern: it stands for the text `${` and does not begin a name.
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g

// In a value, `${secret:NAME}` stands for the value of a secret.
const SECRET = 'secret:'

/** Returns the names of the secrets that a value contains. */
const secretsIn = (value: string): string[] =>
  [...value.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name?.startsWith(SECRET) ? name.slice(SECRET.length) : []))

/** Returns the names of the secrets that variables contain, each once. */
export const secretNamesIn = (environment: Environment): string[] => [
  ...new Set(Object.values(environment).flatMap(secretsIn)),
]

/** Returns the names of the variables whose values contain a secret. */
export const secretVariablesOf = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => secretsIn(environment[name] ?? '').length > 0)

/** Returns the variables with their final values: each secret is replaced by its value, and `$${` by the text `${`. */
export const filledEnvironment = (environment: Environment, secrets: ReadonlyMap<string, string>): Environment => {
  const filled = (value: string) =>
    value.replace(PLACEHOLDER, (whole, name?: string) =>
      name === undefined ? '${' : (secrets.get(name.slice(SECRET.length)) ?? whole),
    )
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))
}

/** Returns the faults of the environment variables of a game server. */
export function environmentFaults(environment: Environment, path: string): ValidationIssue[] {
  const entries = Object.entries(environment)
  if (entries.length > MAX_ENVIRONMENT_VARIABLES) {
    const message = `has ${entries.length} variables; at most ${MAX_ENVIRONMENT_VARIABLES} variables are allowed`
    return [{ path, message }]
  }
  const issues = entries.flatMap(([name, value]) =>
    [nameFault(name), valueFault(value)].flatMap((message) =>
      message === undefined ? [] : [{ path: `${path}.${name}`, message }],
    ),
  )
  if (issues.length > 0) return issues
  const bytes = byteSize(environment)
  if (bytes <= MAX_ENVIRONMENT_BYTES) return []
  return [{ path, message: `has ${bytes} bytes; at most ${MAX_ENVIRONMENT_BYTES} bytes are allowed` }]
}

function nameFault(name: string): string | undefined {
  if (!NAME.test(name) || FORBIDDEN_KEYS.has(name))
    return 'is not the name of a variable; use at most 128 letters, digits and _, not a digit first'
  if (isAmong(name, OF_SERVICE))
    return `is set by the service; choose another name. The service sets ${OF_SERVICE.join(', ')}`
  return OF_SHELL.includes(name) ? 'is set by the shell that starts the program; choose another name' : undefined
}

const isSecret = (name: string): boolean =>
  name.startsWith(SECRET) && SECRET_NAME_PATTERN.test(name.slice(SECRET.length))

function valueFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  if (value.includes('\0')) return 'must not hold U+0000'
  if (!isWellFormed(value)) return 'contains text that is not valid Unicode'
  for (const [whole, name, close] of value.matchAll(PLACEHOLDER)) {
    if (name === undefined || (close !== '' && isSecret(name))) continue
    if (close === '') return `has ${JSON.stringify(whole)}, which is never closed; write $\${ for the text \${ itself`
    return `names \${${name}}, which is not known; known is \${secret:NAME} with the name of a secret; write $\${ for the text \${ itself`
  }
  return undefined
}
