/** Complete list of the allowed names in `T`. The names of a caller's options are compared with it. */
export type NamesOf<T> = { readonly [Name in keyof Required<T>]: true }

/** Returns the maximum number of spelling mistakes in a name; with more mistakes it counts as another word. */
const maxSlips = (name: string): number => Math.max(2, Math.floor(name.length / 3))

/** Maximum characters of an unknown name that is compared with known names. Comparing longer names would take much time. */
const MAX_LOOKED_AT = 64
/** Maximum number of unknown names in one call that get a hint. A call with more of them probably has no spelling mistakes. */
export const MAX_HINTS = 8

/** Returns the known name that is most similar; undefined when no known name is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LOOKED_AT) return undefined
  const said = plain(name)
  const most = maxSlips(name)
  let best: { readonly one: string; readonly slips: number } | undefined
  for (const one of known) {
    const slips = slipsFrom(said, plain(one), Math.min(most, best === undefined ? most : best.slips - 1))
    if (slips !== undefined) best = { one, slips }
  }
  return best?.one
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * Returns the number of mistakes between two names; undefined when there are more than `most`. A part of the known name counts as one
 * mistake, whatever its length: `ttl` for `ttlSeconds`, `private` for `isPrivate`. The known name with one word more counts as two
 * mistakes: `partialAfterSeconds` for `partial_after`.
 */
function slipsFrom(said: string, meant: string, most: number): number | undefined {
  if (most >= 1 && said.length > 2 && said !== meant && meant.includes(said)) return 1
  const hasWordTooMany = meant.length > 4 && 2 * meant.length >= said.length && said !== meant && said.includes(meant)
  if (most >= 2 && hasWordTooMany) return 2
  // The difference of the lengths is a lower bound for the number of mistakes.
  if (Math.abs(said.length - meant.length) > most) return undefined
  const slips = slipsBetween(said, meant)
  return slips > most ? undefined : slips
}

/** Returns the number of letters to change, insert or remove (Levenshtein distance). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns the message for an unknown field, with the nearest known name. */
export function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === undefined ? 'is not a known field' : `is not a known field; did you mean ${near}?`
}

/** Returns the issues of unknown fields. A field whose value is undefined counts as absent. */
export function unknownFields(
  given: object | null | undefined,
  known: readonly string[],
  prefix = '',
): { readonly path: string; readonly message: string }[] {
  return Object.entries(given ?? {})
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name], at) => ({ path: `${prefix}${name}`, message: unknownField(name, at < MAX_HINTS ? known : []) }))
}

/**
 * Throws TypeError for an unknown option, because a misspelled option must not be ignored. The message contains the nearest known name.
 * `where` is the called function.
 */
export function requireKnownOptions(where: string, given: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue
    const near = nearestName(name, known)
    const mend = near === undefined ? `the options are ${known.join(', ')}` : `did you mean ${near}?`
    throw new TypeError(`${where}: there is no option ${JSON.stringify(name)}; ${mend}`)
  }
}

/** Throws TypeError for a value that the option does not allow. A misspelled value must not silently lower the security of the service. */
export function requireOneOf(where: string, name: string, given: unknown, known: readonly string[]): void {
  if (given === undefined || known.includes(given as string)) return
  throw new TypeError(`${where}: ${name} is ${known.join(' or ')}, not ${JSON.stringify(given) ?? String(given)}`)
}

/** Throws TypeError for a value other than a whole number of at least `min`. */
export function requireWholeNumber(where: string, name: string, given: unknown, min = 0): void {
  if (given === undefined || (Number.isSafeInteger(given) && (given as number) >= min)) return
  throw new TypeError(
    `${where}: ${name} must be a whole number of at least ${min}, not ${JSON.stringify(given) ?? String(given)}`,
  )
}
