import { isJsonObject, type JsonValue, jsonEqual, sameText } from './json'

/** A JSON value that changed inside a larger value. `before` or `after` is null when the value did not exist. */
export interface Changed {
  /** Path of the value, such as `matchmaking.rules[0].max_difference`. */
  readonly path: string
  /** Value before the change. */
  readonly before: JsonValue
  /** Value after the change. */
  readonly after: JsonValue
}

/**
 * Returns the values by which two JSON values differ, as deep as both have the same structure. A path in `whole` is compared as one value.
 * Lists are compared index by index, so an item inserted at the front changes every later index.
 */
export function changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  whole: readonly string[] = [],
  path = '',
): Changed[] {
  const within = (key: string) => (path === '' ? key : `${path}.${key}`)
  if (isJsonObject(before) && isJsonObject(after) && !whole.includes(path)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => changesBetween(own(before, key), own(after, key), whole, within(key)))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place)
    return places.flatMap((place) => changesBetween(before[place], after[place], whole, `${path}[${place}]`))
  }
  const isSame = whole.includes(path) ? sameText(before, after) : jsonEqual(before ?? null, after ?? null)
  return isSame ? [] : [{ path, before: before ?? null, after: after ?? null }]
}

const own = (object: { readonly [key: string]: JsonValue }, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
