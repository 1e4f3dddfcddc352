import type { Tokens } from '../ports/tokens'

const PURPOSE = 'server-token'
const PREFIX = 'srvt_'
// The signature may hold an underscore, so it is told by its length: 32 bytes in base64url.
const SHAPE = /^srvt_(.+)_([1-9][0-9]{0,8})_([A-Za-z0-9_-]{43})$/

/** One spawn of a game server, as its token names it. */
export interface Spawn {
  readonly instanceId: string
  readonly attempt: number
}

/** The token that one spawn of a game server finds in its configuration file; it needs no row of its own. */
export function issueServerToken(tokens: Tokens, { instanceId, attempt }: Spawn): string {
  return `${PREFIX}${instanceId}_${attempt}_${tokens.sign(PURPOSE, signedText(instanceId, attempt))}`
}

/** Whether a bearer token claims to be a game server's. */
export const isServerToken = (token: string): boolean => token.startsWith(PREFIX)

/** Which spawn a token was issued to; a fault, as the end of a sentence, for one that was not issued here. */
export function readServerToken(tokens: Tokens, token: string): Spawn | { readonly fault: string } {
  const [, instanceId, digits, signature] = SHAPE.exec(token) ?? []
  if (instanceId === undefined || digits === undefined || signature === undefined) return { fault: 'it is malformed' }
  const attempt = Number(digits)
  const isOurs = tokens.verify(PURPOSE, signedText(instanceId, attempt), signature)
  return isOurs ? { instanceId, attempt } : { fault: 'its signature is wrong' }
}

const signedText = (instanceId: string, attempt: number) => `${instanceId}\n${attempt}`
