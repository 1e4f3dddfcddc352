import type { JsonObject, Logger } from '@matchyard/core'
import { pino } from 'pino'
import { redactFields, redactText } from './redact'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** Lines for people instead of JSON. */
  readonly pretty: boolean
}

type Write = (level: LogLevel, message: string, fields: JsonObject) => void

/** The service's log on standard error, so that standard output stays for what a command answers. No line holds a secret. */
export function createLogger({ level, pretty }: LogOptions): Logger {
  const write = pretty ? prettyLines : jsonLines(level)
  const lowest = LEVELS.indexOf(level)
  const at = (name: LogLevel) => {
    if (LEVELS.indexOf(name) < lowest) return () => {}
    return (message: string, fields: JsonObject = {}) => write(name, redactText(message), redactFields(fields))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function jsonLines(level: LogLevel): Write {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that the last lines before an exit are written.
    pino.destination({ fd: 2, sync: true }),
  )
  return (name, message, fields) => log[name](fields, message)
}

const prettyLines: Write = (name, message, fields) => {
  const shown = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  process.stderr.write(`${[name === 'info' ? ' ' : `[${name}]`, message, ...shown].join(' ')}\n`)
}

/** Says nothing until `speak`: a start that fails is told once, by the command, and not also by the storage's log. */
export function quietAtFirst(logger: Logger): { readonly logger: Logger; speak(): void } {
  let speaking = false
  const at = (name: LogLevel) => (message: string, fields?: JsonObject) => {
    if (speaking) logger[name](message, fields)
  }
  return {
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    speak() {
      speaking = true
    },
  }
}
