import type { Tokens } from '../ports/tokens'

const PURPOSE = 'feed-cursor'
/**
 * Returns a signed cursor for a reader. By the signature, only cursors of this installation and of this scope (such as a project) reach the
 * storage.
 */
export const sealCursor = (tokens: Tokens, scope: string, cursor: string): string =>
  `${encodeURIComponent(cursor)}.${tokens.sign(PURPOSE, signedText(scope, cursor))}`

/** Returns the cursor of the storage; undefined when the signature belongs to another installation or scope. */
export function openCursor(tokens: Tokens, scope: string, sealed: string): string | undefined {
  const [, text = '', signature = ''] = SHAPE.exec(sealed) ?? []
  const cursor = decoded(text)
  const isOurs = cursor !== undefined && tokens.verify(PURPOSE, signedText(scope, cursor), signature)
  return isOurs ? cursor : undefined
}

/** Pattern of a sealed cursor. The signature has 32 bytes: 43 characters of base64url. */
const SHAPE = /^([\x21-\x7e]+)\.([A-Za-z0-9_-]{43})$/
const signedText = (scope: string, cursor: string) => `${scope}\n${cursor}`

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
