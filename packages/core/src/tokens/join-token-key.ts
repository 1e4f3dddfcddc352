import type { Tokens } from '../ports/tokens'
import { base64Url } from '../shared/base64-url'

const PURPOSE = 'join-token'

/** The key by which the game server of one match knows its players: nobody else's, and derived anew whenever it is asked for. */
export const joinTokenKey = (tokens: Tokens, matchId: string): Uint8Array => tokens.derive(PURPOSE, matchId)

/** Returns the join token key as a game server gets it. */
export const joinTokenKeyText = (tokens: Tokens, matchId: string): string => base64Url(joinTokenKey(tokens, matchId))
