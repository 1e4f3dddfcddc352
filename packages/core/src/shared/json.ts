/** Any JSON value. Free-form objects are carried through untouched: key case, key order and nulls are kept. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** UTF-8 bytes of a text, counted without a platform encoder; a lone surrogate counts as its replacement (3). */
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

/** Whether every surrogate in the text is paired; other text cannot be written as UTF-8. */
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

/** Whether both values have the same JSON text: free-form objects are stored untouched, so another order of keys is another value. */
export const sameText = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** JSON equality: key order does not matter, `1` and `"1"` differ. */
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
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  )
}

/** Returns the value deeply frozen, for a storage that gives one value to all readers. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
