import type { Match } from '../match/match'
import type { Tokens } from '../ports/tokens'
import { base64Url } from '../shared/base64-url'

const PURPOSE = 'join-token'

/** Match whose players prove themselves by join tokens. */
export type OfJoinTokens = Pick<Match, 'id' | 'createdAt'>

/**
 * Returns the key by which the game server of one match verifies the join tokens of its players. Each match has its own key. The key is not
 * stored; it is derived when it is needed, from the secret that was in force when the match was created. So a change of the secret does not
 * change the key of a match that runs.
 */
export const joinTokenKey = (tokens: Tokens, { id, createdAt }: OfJoinTokens): Uint8Array =>
  tokens.derive(PURPOSE, id, createdAt)

/** Returns the join token key as a game server gets it, in base64url. */
export const joinTokenKeyText = (tokens: Tokens, match: OfJoinTokens): string => base64Url(joinTokenKey(tokens, match))
