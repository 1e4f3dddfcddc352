import type { Tokens } from '../ports/tokens'
import { base64Url } from '../shared/base64-url'

const PURPOSE = 'join-token'

/**
 * Returns the key by which the game server of one match verifies the join tokens of its players. Each match has its own key. The key is not
 * stored; it is derived when it is needed.
 */
export const joinTokenKey = (tokens: Tokens, matchId: string): Uint8Array => tokens.derive(PURPOSE, matchId)

/** Returns the join token key as a game server gets it, in base64url. */
export const joinTokenKeyText = (tokens: Tokens, matchId: string): string => base64Url(joinTokenKey(tokens, matchId))
