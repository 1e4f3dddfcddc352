/** Kinds of objects that the search opens by their id. */
export type IdKind = 'match' | 'lobby' | 'server' | 'build' | 'webhook'

const PREFIXES: Readonly<Record<string, IdKind>> = {
  mat: 'match',
  lob: 'lobby',
  srv: 'server',
  bld: 'build',
  whk: 'webhook',
}

/** Form of an id of the service: a prefix and a ULID. */
const ID = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Returns the kind of the object with a complete id; undefined for other texts. */
export function kindOfId(text: string): IdKind | undefined {
  const prefix = ID.exec(text)?.[1]
  return prefix === undefined ? undefined : PREFIXES[prefix]
}

/** Whether a text may be an invite code: 4 to 12 letters and digits, in any case and with blanks. */
export function mayBeCode(text: string): boolean {
  const code = text.replace(/[\s-]/g, '')
  return /^[0-9A-Za-z]{4,12}$/.test(code)
}

/** Maximum number of results of one kind. */
export const MOST_OF_KIND = 5

/** Returns the first things whose texts contain the searched words, at most `MOST_OF_KIND`; beginnings come first. */
export function matching<T>(
  things: readonly T[],
  words: string,
  textsOf: (thing: T) => readonly (string | null)[],
): readonly T[] {
  const wanted = words.toLowerCase()
  const begins: T[] = []
  const contains: T[] = []
  for (const thing of things) {
    const texts = textsOf(thing).map((text) => text?.toLowerCase() ?? '')
    if (texts.some((text) => text.startsWith(wanted))) begins.push(thing)
    else if (contains.length < MOST_OF_KIND && texts.some((text) => text.includes(wanted))) contains.push(thing)
    if (begins.length === MOST_OF_KIND) break
  }
  return [...begins, ...contains].slice(0, MOST_OF_KIND)
}
