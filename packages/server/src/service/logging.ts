import type { JsonObject } from '@matchyard/core'
import { shownLines } from '@matchyard/core/domain'
import type { Logger } from '@matchyard/core/ports'
import { pino } from 'pino'
import type { LogOutlet } from './log-outlet'
import { redactFields, redactText } from './redact'
import { standardError } from './standard-streams'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** Whether lines are formatted for people instead of as JSON. */
  readonly pretty: boolean
  /** Number of the worker process, written in every line. */
  readonly worker?: number | undefined
  /**
   * Destination of the lines. Default: standard error, so that standard output contains only the results of commands.
   */
  readonly outlet?: Pick<LogOutlet, 'write'>
}

type Write = (level: LogLevel, message: string, fields: JsonObject) => void

/**
 * Returns the service's log. Logging never waits and never throws, and no line contains a secret. When lines were
 * dropped, the next line reports their number.
 */
export function createLogger({ level, pretty, worker, outlet = standardError() }: LogOptions): Logger {
  let lost = 0
  const put = (line: string) => {
    if (!outlet.write(line)) lost++
  }
  const write = pretty ? prettyLines(put) : jsonLines(level, worker === undefined ? null : { worker }, put)
  const lowest = LEVELS.indexOf(level)
  const tellLost = () => {
    const before = lost
    lost = 0
    // If the lowest level of the log is above `warn`, a warning would be dropped. The line about dropped lines
    // therefore has at least the lowest level.
    write(lowest > LEVELS.indexOf('warn') ? level : 'warn', 'lines of the log found no room and were dropped', {
      lines: before,
    })
    if (lost > 0) lost = before
  }
  const at = (name: LogLevel) => {
    if (LEVELS.indexOf(name) < lowest) return () => {}
    return (message: string, fields: JsonObject = {}) => {
      if (lost > 0) tellLost()
      write(name, redactText(message), redactFields(fields))
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function jsonLines(level: LogLevel, base: { readonly worker: number } | null, put: (line: string) => void): Write {
  const log = pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // JSON escapes only the ASCII control characters, so all other control characters are escaped here.
    { write: (line) => put(shownLines(line)) },
  )
  return (name, message, fields) => log[name](fields, message)
}

const prettyLines =
  (put: (line: string) => void): Write =>
  (name, message, fields) => {
    const shown = Object.entries(fields).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    const words = shownLines([name === 'info' ? ' ' : `[${name}]`, message, ...shown].join(' '))
    // The second and later lines of a message are indented, so that text from callers cannot look like a separate log
    // line.
    put(`${words.replaceAll('\n', '\n      ')}\n`)
  }

/**
 * Returns a log that drops all lines until `speak` is called. The command itself reports a failed start, so the
 * storage's log must not report it too.
 */
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
