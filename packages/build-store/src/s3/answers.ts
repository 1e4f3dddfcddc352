/**
 * Reads XML answers of an S3 store, as far as the build store needs them: without attributes, and without elements
 * inside elements of the same name.
 */

export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
  readonly modifiedAt: number
}

export interface ObjectList {
  readonly objects: readonly ListedObject[]
  /** Token of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/**
 * Returns the objects in the answer to a list request; undefined when the text is not a list, or is an incomplete list.
 */
export function objectList(xml: string): ObjectList | undefined {
  if (!xml.includes('<ListBucketResult')) return undefined
  const objects = between(xml, 'Contents').map((entry) => ({
    key: textOf(entry, 'Key') ?? '',
    sizeBytes: Number(textOf(entry, 'Size') ?? 0),
    modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? '') || 0,
  }))
  if (textOf(xml, 'IsTruncated') !== 'true') return { objects, next: undefined }
  const next = textOf(xml, 'NextContinuationToken')
  // A list that has further objects, but no token for the next page, would look complete, so it is refused.
  return next === undefined ? undefined : { objects, next }
}

/**
 * Returns the error code in the body of an error answer; undefined when there is no valid code. The rest of the body is
 * not used, because it may repeat signed data.
 */
export const errorCodeOf = (xml: string): string | undefined => {
  const code = textOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

export const copiedTag = (xml: string): string | undefined => textOf(xml, 'ETag')

/** Returns an entity tag without its quotation marks and without the prefix `W/` of weak tags. */
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

/**
 * Returns the texts between the start tags and end tags of an element name, in order. An element without an end tag is
 * left out.
 */
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
