import { isDeepStrictEqual } from 'node:util'
import { invalid } from './naming'
import { type Fields, SECRETS } from './objects'

const MOST_BYTES = 1_048_576
const FIXED = 'Forbidden: field is immutable when `immutable` is set'

/**
 * Encodes `stringData` in base64. Throws when a secret is larger than 1,048,576 bytes, or when an immutable secret
 * changes.
 */
export function admitSecret(object: Fields, before: Fields | undefined): void {
  encodeStringData(object)
  const refuse = (why: string) => invalid(SECRETS, object.metadata?.name ?? '', why)
  const bytes = Object.values<string>(object.data ?? {}).reduce((sum, value) => sum + value.length * 0.75, 0)
  if (bytes > MOST_BYTES) throw refuse(`data: Too long: must have at most ${MOST_BYTES} bytes`)
  if (before?.immutable !== true) return
  if (object.immutable !== true) throw refuse(`immutable: ${FIXED}`)
  if (!isDeepStrictEqual(object.data, before.data)) throw refuse(`data: ${FIXED}`)
}

function encodeStringData(object: Fields): void {
  const { stringData, ...rest } = object
  if (stringData === undefined) return
  const data: Record<string, string> = { ...rest.data }
  for (const [key, value] of Object.entries(stringData)) data[key] = Buffer.from(String(value)).toString('base64')
  delete object.stringData
  object.data = data
}
