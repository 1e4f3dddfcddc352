import type { JsonObject, Logger } from '@matchyard/core'
import { pino } from 'pino'

/** Fields that are never written, wherever they turn up; no caller should pass them in the first place. */
const SECRET_FIELDS = ['password', 'token', 'key', 'api_key', 'secret', 'authorization', 'signature', 'upload_url']

export interface LogOptions {
  readonly level: string
  /** Lines for people instead of JSON. */
  readonly pretty: boolean
}

/** The service's log on standard error, so that standard output stays for what a command answers. */
export function createLogger({ level, pretty }: LogOptions): Logger {
  if (pretty) return prettyLogger(level)
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[hidden]' },
    },
    pino.destination({ fd: 2, sync: true }),
  )
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: JsonObject = {}) =>
      log[name](fields, message)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

function prettyLogger(level: string): Logger {
  const lowest = LEVELS.indexOf(level as (typeof LEVELS)[number])
  const at =
    (name: (typeof LEVELS)[number]) =>
    (message: string, fields: JsonObject = {}) => {
      if (lowest === -1 || LEVELS.indexOf(name) < lowest) return
      const shown = Object.entries(fields).map(([key, value]) => `${key}=${shownValue(key, value)}`)
      process.stderr.write(`${[name === 'info' ? ' ' : `[${name}]`, message, ...shown].join(' ')}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const shownValue = (key: string, value: unknown): string =>
  SECRET_FIELDS.includes(key) ? '[hidden]' : typeof value === 'string' ? value : JSON.stringify(value)
