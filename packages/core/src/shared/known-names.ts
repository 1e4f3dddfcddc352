/** Every name that `T` may have, none left out: with these, what a caller gave is compared. */
export type NamesOf<T> = { readonly [Name in keyof Required<T>]: true }

/** Beyond this a name is another word, not a slip. */
const maxSlips = (name: string): number => Math.max(2, Math.floor(name.length / 3))

/** Longer names are no slips of a known one, and how near they are would take long to find out. */
const MAX_LOOKED_AT = 64
/** Number of unknown names in one call that get a hint: more are not spelling mistakes. */
export const MAX_HINTS = 8

/** The name that was probably meant; undefined where none is near. */
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
 * Slips between two names; undefined where there are more than `most`. A word that is part of the name is one slip away, whatever its
 * length: `ttl` for `ttlSeconds`, `private` for `isPrivate`. A name with a word too many is two away:
 * `partialAfterSeconds` for `partial_after`.
 */
function slipsFrom(said: string, meant: string, most: number): number | undefined {
  if (most >= 1 && said.length > 2 && said !== meant && meant.includes(said)) return 1
  const hasWordTooMany = meant.length > 4 && 2 * meant.length >= said.length && said !== meant && said.includes(meant)
  if (most >= 2 && hasWordTooMany) return 2
  // As many letters as one is longer have to be put in.
  if (Math.abs(said.length - meant.length) > most) return undefined
  const slips = slipsBetween(said, meant)
  return slips > most ? undefined : slips
}

/** Letters to change, to put in or to leave out (Levenshtein). */
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

/** Returns the sentence for an unknown field. */
export function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === undefined ? 'is not a known field' : `is not a known field; did you mean ${near}?`
}

/** The issues of fields that nobody knows; one that is there without a value counts as left out. */
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
 * Throws TypeError for an option that nobody knows, with the nearest name: one that was misspelled must not pass in silence. `where` is
 * the function that was called.
 */
export function requireKnownOptions(where: string, given: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue
    const near = nearestName(name, known)
    const mend = near === undefined ? `the options are ${known.join(', ')}` : `did you mean ${near}?`
    throw new TypeError(`${where}: there is no option ${JSON.stringify(name)}; ${mend}`)
  }
}

/** Throws TypeError for a value that is none of those an option takes: where one chooses how safe a service is, a slip must not choose. */
export function requireOneOf(where: string, name: string, given: unknown, known: readonly string[]): void {
  if (given === undefined || known.includes(given as string)) return
  throw new TypeError(`${where}: ${name} is ${known.join(' or ')}, not ${JSON.stringify(given) ?? String(given)}`)
}

/** Throws TypeError for what is no whole number from `min` on. */
export function requireWholeNumber(where: string, name: string, given: unknown, min = 0): void {
  if (given === undefined || (Number.isSafeInteger(given) && (given as number) >= min)) return
  throw new TypeError(
    `${where}: ${name} is a whole number from ${min} on, not ${JSON.stringify(given) ?? String(given)}`,
  )
}
