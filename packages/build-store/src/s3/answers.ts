/**
 * Reads the store's XML answers, as far as the store's code needs them: no nested elements of one name, and no
 * attributes.
 */

export interface ListedObject {
  readonly key: string
  readonly modifiedAt: number
}

export interface ObjectList {
  readonly objects: readonly ListedObject[]
  /** Token of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** Returns the objects of a list answer; undefined when the text is not a list, or an incomplete list. */
export function objectList(xml: string): ObjectList | undefined {
  if (!xml.includes('<ListBucketResult')) return undefined
  const objects = between(xml, 'Contents').map((entry) => ({
    key: textOf(entry, 'Key') ?? '',
    modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? '') || 0,
  }))
  if (textOf(xml, 'IsTruncated') !== 'true') return { objects, next: undefined }
  const next = textOf(xml, 'NextContinuationToken')
  // A list that has more objects, and does not say how to get them, would look complete.
  return next === undefined ? undefined : { objects, next }
}

/**
 * Returns the error code in an error's body; undefined when there is no valid code. The rest of the body may repeat
 * signed data.
 */
export const errorCodeOf = (xml: string): string | undefined => {
  const code = textOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

export const copiedTag = (xml: string): string | undefined => textOf(xml, 'ETag')

/** Returns an entity tag without quotes and without the weak mark `W/`. */
export const plainTag = (tag: string): string => tag.replace(/^W\//, '').replace(/"/g, '')

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
])

function textOf(xml: string, name: string): string | undefined {
  const found = between(xml, name).find((text) => !text.includes('<'))
  return found?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, entity) => {
    if (decimal !== undefined) return characterOf(Number(decimal)) ?? whole
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16)) ?? whole
    return ENTITIES.get(entity.toLowerCase()) ?? whole
  })
}

const characterOf = (code: number): string | undefined => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined)

/** Returns the texts between start tags and end tags of a name, in order. An element without an end tag is left out. */
function between(xml: string, name: string): string[] {
  const [opening, end] = [`<${name}>`, `</${name}>`]
  const found: string[] = []
  for (let at = xml.indexOf(opening); at !== -1; ) {
    const from = at + opening.length
    const to = xml.indexOf(end, from)
    if (to === -1) break
    found.push(xml.slice(from, to))
    at = xml.indexOf(opening, to)
  }
  return found
}
