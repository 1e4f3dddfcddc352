import type { ValidationIssue } from '../errors/service-error'
import type { PortRequest } from './game-server'
import { portVariable } from './ports'

// Characters that a backslash escapes inside double quotes; before other characters the backslash stands for itself.
const ESCAPABLE_IN_DOUBLE_QUOTES = new Set(['"', '\\', '$', '`'])

/**
 * Splits a text into arguments as a POSIX shell would by quotes and backslashes, and does nothing else that a shell
 * does: no variables, no wildcards, no commands. An unclosed quote ends with the text.
 */
export const splitArguments = (text: string): string[] => scan(text).args

/** Whether a text that is split so ends inside a quote: then it is refused, and never split. */
export const hasUnclosedQuote = (text: string): boolean => scan(text).quote !== ''

/** Names that arguments can use besides the ports, which are `PORT_<NAME>`. */
const ARGUMENT_NAMES = ['INSTANCE_ID', 'MATCH_ID', 'REGION', 'SVC_CONFIG_FILE'] as const

// `$${` first: it is the text `${` and begins no name.
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g

/**
 * Arguments with `${NAME}` replaced. Done after the splitting, so that no value becomes two arguments. Unknown names stay as they are: settings
 * with them are refused, rows of an earlier release are not.
 */
export const fillArguments = (text: string, values: ReadonlyMap<string, string>): string[] =>
  splitArguments(text).map((argument) =>
    argument.replace(PLACEHOLDER, (whole, name?: string, close?: string) => {
      if (name === undefined) return '${'
      return close === '' ? whole : (values.get(name) ?? whole)
    }),
  )

/** The names that arguments hold, each once. */
export const namesInArguments = (text: string): string[] => [
  ...new Set(
    splitArguments(text).flatMap((argument) => [...argument.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? [])),
  ),
]

/** Returns the faults of the arguments of a server with these ports. */
export function startupArgsFaults(text: string, ports: readonly PortRequest[], path: string): ValidationIssue[] {
  // The end of a text to every program that is started.
  if (text.includes('\0')) return [{ path, message: 'must not hold U+0000' }]
  if (hasUnclosedQuote(text)) return [{ path, message: 'has a quote that is never closed' }]
  const known = [...ports.map(({ name }) => portVariable(name)), ...ARGUMENT_NAMES]
  const messages = splitArguments(text).flatMap((argument) =>
    [...argument.matchAll(PLACEHOLDER)].flatMap(([whole, name, close]) => {
      if (name === undefined) return []
      if (close === '')
        return [`has ${JSON.stringify(whole)}, which is never closed; write $\${ for the text \${ itself`]
      if (known.includes(name)) return []
      return [
        `names \${${name}}, which is not known; known are ${known.join(', ')}; write $\${ for the text \${ itself`,
      ]
    }),
  )
  return [...new Set(messages)].map((message) => ({ path, message }))
}

// One scanner for both, so that what is checked is what is split.
function scan(text: string): { args: string[]; quote: string } {
  const args: string[] = []
  let current: string | undefined // undefined between arguments: '' is an argument of its own
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    const next = text[i + 1]
    const escapes = char === '\\' && next !== undefined && quote !== "'"
    if (escapes && (quote === '' || ESCAPABLE_IN_DOUBLE_QUOTES.has(next))) {
      current = (current ?? '') + next
      i++
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      current ??= ''
    } else if (quote !== '' && char === quote) {
      quote = ''
    } else if (quote === '' && /\s/.test(char)) {
      if (current !== undefined) args.push(current)
      current = undefined
    } else {
      current = (current ?? '') + char
    }
  }
  if (current !== undefined) args.push(current)
  return { args, quote }
}
