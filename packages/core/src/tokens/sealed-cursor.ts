import type { Tokens } from '../ports/tokens'

const PURPOSE = 'feed-cursor'
/** A reader carries its cursor, so it is signed: a storage is only ever given one of its own, and of this scope, as a project. */
export const sealCursor = (tokens: Tokens, scope: string, cursor: string): string =>
  `${encodeURIComponent(cursor)}.${tokens.sign(PURPOSE, signedText(scope, cursor))}`

/** The storage's cursor; undefined for one that was not given out here for this scope. */
export function openCursor(tokens: Tokens, scope: string, sealed: string): string | undefined {
  const [, text = '', signature = ''] = SHAPE.exec(sealed) ?? []
  const cursor = decoded(text)
  const isOurs = cursor !== undefined && tokens.verify(PURPOSE, signedText(scope, cursor), signature)
  return isOurs ? cursor : undefined
}

/** The signature has 32 bytes in base64url. */
const SHAPE = /^([\x21-\x7e]+)\.([A-Za-z0-9_-]{43})$/
const signedText = (scope: string, cursor: string) => `${scope}\n${cursor}`

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
