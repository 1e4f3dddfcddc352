/** What the store says in XML, as far as it is looked at: no names that could be nested, and no attributes. */

export interface ListedObject {
  readonly key: string
  readonly modifiedAt: number
}

export interface ObjectList {
  readonly objects: readonly ListedObject[]
  /** Where the next page begins, where there is one. */
  readonly next: string | undefined
}

/** undefined of what is no list. */
export function objectList(xml: string): ObjectList | undefined {
  if (!xml.includes('<ListBucketResult')) return undefined
  const objects = between(xml, 'Contents').map((entry) => ({
    key: textOf(entry, 'Key') ?? '',
    modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? '') || 0,
  }))
  const isWhole = textOf(xml, 'IsTruncated') !== 'true'
  return { objects, next: isWhole ? undefined : textOf(xml, 'NextContinuationToken') }
}

/** The one word of an error's body that is good for a message: the rest may repeat what was signed. */
export const errorCodeOf = (xml: string): string | undefined => {
  const code = textOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

export const copiedTag = (xml: string): string | undefined => textOf(xml, 'ETag')

/** A tag without what stands around it. */
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

/** What stands between the openings and the ends of a name, in order; one that never ends is left out. */
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
