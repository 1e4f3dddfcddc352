import type { ValidationIssue } from '../errors/service-error'
import type { PortRequest } from './game-server'
import { portVariable } from './ports'

// Characters that a backslash escapes inside double quotes. Before other characters, the backslash is an ordinary character.
const ESCAPABLE_IN_DOUBLE_QUOTES = new Set(['"', '\\', '$', '`'])

/**
 * Returns the arguments of a text, split as a POSIX shell splits quotes and backslashes. Variables, wildcards and commands are not
 * expanded. An unclosed quote ends with the text.
 */
export const splitArguments = (text: string): string[] => scan(text).args

/** Whether a text ends inside a quote; callers refuse such a text before it is split. */
export const hasUnclosedQuote = (text: string): boolean => scan(text).quote !== ''

/** Names that arguments can use, besides the names of ports (`PORT_<NAME>`). */
const ARGUMENT_NAMES = ['INSTANCE_ID', 'MATCH_ID', 'REGION', 'SVC_CONFIG_FILE'] as const

// `$${` comes first in the pattern: it stands for the text `${` and does not begin a name.
const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g

/**
 * Returns the arguments with `${NAME}` replaced. The text is split first, so that a value with blanks does not become two arguments.
 * Unknown names stay unchanged: the service refuses them in new settings, but rows of earlier releases may contain them.
 */
export const fillArguments = (text: string, values: ReadonlyMap<string, string>): string[] =>
  splitArguments(text).map((argument) =>
    argument.replace(PLACEHOLDER, (whole, name?: string, close?: string) => {
      if (name === undefined) return '${'
      return close === '' ? whole : (values.get(name) ?? whole)
    }),
  )

/** Returns the names that the arguments contain, each once. */
export const namesInArguments = (text: string): string[] => [
  ...new Set(
    splitArguments(text).flatMap((argument) => [...argument.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? [])),
  ),
]

/** Returns the faults of the startup arguments of a server with these ports. */
export function startupArgsFaults(text: string, ports: readonly PortRequest[], path: string): ValidationIssue[] {
  // Operating systems end an argument at U+0000.
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

// One function splits and checks, so that splitting and checking find the same quotes.
function scan(text: string): { args: string[]; quote: string } {
  const args: string[] = []
  let current: string | undefined // undefined between arguments, because '' is an argument
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
