import type { Tokens } from '../ports/tokens'

const PURPOSE = 'server-token'
const PREFIX = 'srvt_'
// The signature can contain an underscore, so the pattern finds the signature by its length: 32 bytes in base64url.
const SHAPE = /^srvt_(.+)_([1-9][0-9]{0,8})_([A-Za-z0-9_-]{43})$/

/** One spawn of a game server, the subject of its token. */
export interface Spawn {
  readonly instanceId: string
  readonly attempt: number
}

/** Returns the token for one spawn of a game server. The server finds the token in its configuration file. No row stores the token. */
export function issueServerToken(tokens: Tokens, { instanceId, attempt }: Spawn): string {
  return `${PREFIX}${instanceId}_${attempt}_${tokens.sign(PURPOSE, signedText(instanceId, attempt))}`
}

/** Whether a bearer token has the form of a game server's token. Its signature is not checked. */
export const isServerToken = (token: string): boolean => token.startsWith(PREFIX)

/** Returns the spawn for which a token was issued. For an invalid token, returns the fault as the end of a sentence. */
export function readServerToken(tokens: Tokens, token: string): Spawn | { readonly fault: string } {
  const [, instanceId, digits, signature] = SHAPE.exec(token) ?? []
  if (instanceId === undefined || digits === undefined || signature === undefined) return { fault: 'it is malformed' }
  const attempt = Number(digits)
  const isOurs = tokens.verify(PURPOSE, signedText(instanceId, attempt), signature)
  return isOurs ? { instanceId, attempt } : { fault: 'its signature is wrong' }
}

const signedText = (instanceId: string, attempt: number) => `${instanceId}\n${attempt}`
