import { ServiceError } from '@matchyard/core'
import {
  FORBIDDEN_KEYS,
  isWellFormed,
  MAX_BODY_BYTES,
  MAX_BODY_DEPTH,
  numberFault,
  quoted,
} from '@matchyard/core/domain'
import type { Exchange } from '../exchange/exchange'
import { requestFault } from '../wire/issue-path'
import { readBytes } from './read-bytes'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Limit of a body. */
export interface BodyLimit {
  readonly maxBytes: number
  /** Called with the bytes of a body before they are parsed; throws for a body that must not be parsed. */
  readonly onRead?: (bytes: Uint8Array) => void
}

const USUAL: BodyLimit = { maxBytes: MAX_BODY_BYTES }

/**
 * Resolves to the request's body within the limit, parsed as JSON; undefined for an empty body. Free-form objects in
 * the body are used as they were parsed, without a copy. Rejects with `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` or
 * `VALIDATION_FAILED`.
 */
export async function readJson(exchange: Exchange, { maxBytes, onRead }: BodyLimit = USUAL): Promise<unknown> {
  const bytes = await readBytes(exchange, maxBytes)
  onRead?.(bytes)
  if (bytes.byteLength === 0) return undefined
  checkMediaType(exchange)
  const value = parse(decode(bytes))
  const fault = faultOf(value, 1)
  if (fault !== undefined) throw requestFault([{ path: fault.steps.reverse().join('.'), message: fault.message }])
  return value
}

function checkMediaType(exchange: Exchange): void {
  const type = exchange.header('content-type')
  const encoding = exchange.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      `the content-encoding ${quoted(encoding)} is not supported; send the body without a content-encoding`,
    )
  }
  if (type !== 'application/json' && (type === undefined || !isJson(type))) {
    const sent = type === undefined ? 'none' : quoted(type)
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      `the body must have the content-type application/json; its content-type is ${sent}`,
    )
  }
}

/** Whether a media type is `application/json`, with no parameter other than `charset=utf-8`. */
function isJson(type: string): boolean {
  if (type.length > MAX_MEDIA_TYPE) return false
  const [essence = '', parameter = '', ...more] = type.toLowerCase().split(';')
  return more.length === 0 && essence.trim() === 'application/json' && CHARSETS.has(parameter.trim())
}

/** Maximum characters of a media type; longer ones are refused. */
const MAX_MEDIA_TYPE = 256
const CHARSETS: ReadonlySet<string> = new Set(['', 'charset=utf-8', 'charset="utf-8"'])

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw bodyFault('is not valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw bodyFault('is not JSON')
  }
}

interface Fault {
  /** Property names and indices from the root to the faulty value, the last step first. */
  readonly steps: string[]
  readonly message: string
}

/**
 * Returns the first fault that no schema can express: excessive depth, invalid Unicode, a number or a key that is not
 * allowed.
 */
function faultOf(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string')
    return isWellFormed(value) ? undefined : here('contains text that is not valid Unicode')
  if (typeof value === 'number') {
    const message = numberFault(value)
    return message === undefined ? undefined : here(message)
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_BODY_DEPTH) return here(`is nested deeper than ${MAX_BODY_DEPTH} levels`)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const fault = faultOf(value[at], depth + 1)
      if (fault !== undefined) return below(String(at), fault)
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) return here(`contains the forbidden key "${key}"`)
    if (!isWellFormed(key)) return here('contains a key that is not valid Unicode')
    const fault = faultOf((value as Record<string, unknown>)[key], depth + 1)
    if (fault !== undefined) return below(key, fault)
  }
  return undefined
}

const here = (message: string): Fault => ({ steps: [], message })

function below(step: string, fault: Fault): Fault {
  fault.steps.push(step)
  return fault
}

const bodyFault = (message: string) => requestFault([{ path: '', message }])
