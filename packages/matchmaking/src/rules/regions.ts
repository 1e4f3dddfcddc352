/** The 16 region codes (specification, "Regions"). */
export const REGIONS = [
  'ams',
  'arn',
  'bom',
  'cdg',
  'dfw',
  'ewr',
  'fra',
  'iad',
  'lax',
  'lhr',
  'nrt',
  'ord',
  'sin',
  'sjc',
  'syd',
  'yyz',
] as const

/** Code of a region: the IATA code of a nearby airport, for example `fra`. */
export type Region = (typeof REGIONS)[number]

/** Region of a server when no other setting decides. */
export const DEFAULT_REGION: Region = 'iad'

const KNOWN: ReadonlySet<string> = new Set(REGIONS)
/** Whether a value is the code of a region. */
export const isRegion = (value: unknown): value is Region => typeof value === 'string' && KNOWN.has(value)
