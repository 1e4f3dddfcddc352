import { type Instant, MINUTE_MS, SECOND_MS } from '../shared/time'
import { externalIdOf } from './external-server'
import type { Match } from './match'
import { isMade } from './proposal'

/** Milliseconds for which a join token is valid. A player needs the token to connect, and not after that. */
export const JOIN_TOKEN_MS = 5 * MINUTE_MS

/** Content of a join token, which proves that a player has a seat in a match. */
export interface JoinGrant {
  readonly matchId: string
  readonly playerId: string
  /** Id of the match's server; null for a match without a server. */
  readonly instanceId: string | null
  readonly team: string
  readonly role: string | null
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

/**
 * Returns the join grant of a player in the match; undefined for other players, for players who have left, and while the match is only
 * proposed.
 */
export function joinGrant(match: Match, playerId: string, at: Instant): JoinGrant | undefined {
  if (!isMade(match)) return undefined
  // Times in a JWT are whole seconds.
  const issuedAt = Math.floor(at / SECOND_MS) * SECOND_MS
  for (const { name, players } of match.teams) {
    const seat = players.find((player) => player.playerId === playerId && player.leftAt === null)
    if (seat === undefined) continue
    const instanceId = match.serverId ?? (match.external === undefined ? null : externalIdOf(match))
    const times = { issuedAt, expiresAt: issuedAt + JOIN_TOKEN_MS }
    return { matchId: match.id, playerId, instanceId, team: name, role: seat.role, ...times }
  }
  return undefined
}
