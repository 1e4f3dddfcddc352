import type { JsonObject, JsonValue } from '@matchyard/core'

const HIDDEN = '[hidden]'

/**
 * Names of fields whose values are never written, at any depth. Callers should not pass such fields, but might do so by
 * mistake.
 */
const SECRET_FIELDS = new Set([
  'password', 'password_hash', 'passwordhash', 'token', 'access_token', 'payment_method_token', 'key', 'api_key', 'api-key',
  'secret', 'secretaccesskey', 'accesskeyid', 'sessiontoken', 'authorization', 'cookie', 'signature', 'upload_url', 'uploadurl', 'uploadpath', 'database_url',
]) // biome-ignore format: a list of words

/** Patterns of this service's secrets within a sentence, because the text of an error may quote its input. */
const SECRET_SHAPES: readonly (readonly [shape: RegExp, instead: string])[] = [
  [/\b((?:[cs]k|mt|inv)_live_)[0-9A-Za-z]+/g, `$1${HIDDEN}`],
  [/\b(srvt_)[\w-]+/g, `$1${HIDDEN}`],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, HIDDEN],
  [/\b(signature|credential|token|password|secret)=[^&\s"']+/gi, `$1=${HIDDEN}`],
  [/\b(bearer) +[^\s"',]+/gi, `$1 ${HIDDEN}`],
  [/(:\/\/[^:/@\s]*):[^@\s/]*@/g, `$1:${HIDDEN}@`],
]

/** Returns `text` without the secrets that have a known form. */
export const redactText = (text: string): string =>
  SECRET_SHAPES.reduce((shown, [shape, instead]) => shown.replace(shape, instead), withoutDatabasePasswords(text))

/**
 * Returns `text` without the passwords of PostgreSQL URLs. A password may contain any character. Therefore all text of
 * a line between the first user name of such a URL and the last `@` is hidden.
 */
function withoutDatabasePasswords(text: string): string {
  if (!text.includes('@')) return text
  return text
    .split('\n')
    .map((line) => {
      const start = /\bpostgres(?:ql)?:\/\/[^:/\s]*:/i.exec(line)
      if (start === null) return line
      const [from, to] = [start.index + start[0].length, line.lastIndexOf('@')]
      return to < from || line.startsWith('***@', from) ? line : line.slice(0, from) + HIDDEN + line.slice(to)
    })
    .join('\n')
}

/** Returns the fields of a log line without secrets, which are found by the name of their field or by their pattern. */
export const redactFields = (fields: JsonObject): JsonObject => redactObject(fields, 0)

/** Maximum depth of a log line's values; deeper values are hidden. */
const MAX_DEPTH = 8

function redactObject(fields: JsonObject, depth: number): JsonObject {
  const shown = Object.entries(fields).map(([name, value]): [string, JsonValue] => [
    name,
    SECRET_FIELDS.has(name.toLowerCase()) ? HIDDEN : redactValue(value, depth + 1),
  ])
  return Object.fromEntries(shown)
}

function redactValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1))
  return redactObject(value as JsonObject, depth)
}
