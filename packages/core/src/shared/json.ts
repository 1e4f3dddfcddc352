/** JSON value. Free-form objects are stored unchanged, with the case and order of their keys, and with null values. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { [key: string]: JsonValue }
/** JSON object with any keys. */
export type JsonObject = { [key: string]: JsonValue }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the number of UTF-8 bytes of a text, without an encoder of the platform. An unpaired surrogate counts 3 bytes, like the
 * replacement character.
 */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000

/** Whether every surrogate of the text is part of a pair. Other text cannot be encoded as UTF-8. */
export function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit >= 0xe000) continue
    if (unit >= 0xdc00 || i + 1 >= text.length || !isLowSurrogate(text.charCodeAt(i + 1))) return false
    i++
  }
  return true
}

export const byteSize = (value: JsonValue): number => utf8Length(JSON.stringify(value))

/** Whether two values have the same JSON text. The order of keys matters, because free-form objects are stored unchanged. */
export const sameText = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Whether two JSON values are equal. The order of keys does not matter; `1` and `"1"` differ. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => jsonEqual(item, b[index]))
    )
  }
  return sameFields(a as JsonObject, b as JsonObject)
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  )
}

/** Freezes a value deeply and returns it. A storage that gives the same object to all readers uses this function. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
