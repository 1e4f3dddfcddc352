import { ServiceError } from '@matchyard/core'
import { FORBIDDEN_KEYS, isWellFormed, MAX_BODY_BYTES, MAX_BODY_DEPTH } from '@matchyard/core/domain'
import type { Exchange } from '../exchange/exchange'
import { requestFault } from '../wire/issue-path'
import { readBytes } from './read-bytes'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The request's body as JSON, or undefined when it is empty. Free-form objects stay the very objects that were parsed.
 * Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED.
 */
export async function readJson(exchange: Exchange): Promise<unknown> {
  const bytes = await readBytes(exchange, MAX_BODY_BYTES)
  if (bytes.byteLength === 0) return undefined
  checkMediaType(exchange)
  const value = parse(decode(bytes))
  checkValue(value, '', 1)
  return value
}

function checkMediaType(exchange: Exchange): void {
  const type = exchange.header('content-type')
  const encoding = exchange.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `send the body without content-encoding ${told(encoding)}`)
  }
  if (type === undefined || !isJson(type)) {
    const sent = type === undefined ? 'none' : told(type)
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `the body must be application/json; its content-type is ${sent}`)
  }
}

/** `application/json`, with no parameter but `charset=utf-8`. */
function isJson(type: string): boolean {
  if (type.length > MAX_MEDIA_TYPE) return false
  const [essence = '', parameter = '', ...more] = type.toLowerCase().split(';')
  return more.length === 0 && essence.trim() === 'application/json' && CHARSETS.has(parameter.trim())
}

/** Characters of a media type that is looked at. */
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

// What no schema could say of a free-form value, said once for every value: depth, Unicode, numbers, keys.
function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw fault(path, 'holds text that is not valid Unicode')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw fault(path, 'holds a number that is not finite')
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_BODY_DEPTH) throw fault(path, `is nested deeper than ${MAX_BODY_DEPTH} levels`)
    for (const [key, item] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) throw fault(path, `holds the forbidden key "${key}"`)
      if (!isWellFormed(key)) throw fault(path, 'holds a key that is not valid Unicode')
      checkValue(item, path === '' ? key : `${path}.${key}`, depth + 1)
    }
  }
}

const bodyFault = (message: string) => requestFault([{ path: '', message }])
// A path through a hostile body may itself be long; its beginning names the field.
const fault = (path: string, message: string) => requestFault([{ path: path.slice(0, 200), message }])
