import { MAX_SEARCHES } from '../catalog/limits'
import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { Match } from './match'
import { isProposed } from './proposal'

/** Player whom a live match keeps out of other matches. */
export interface HeldPlayer {
  readonly playerId: string
  readonly matchId: string
  /** Whether the match is only proposed. */
  readonly isProposed: boolean
  /** Instant at which the match was made or proposed. */
  readonly since: Instant
}

/** Returns a player whom this match keeps out of other matches. */
export const asHeld = (match: Match, playerId: string): HeldPlayer => ({
  playerId,
  matchId: match.id,
  isProposed: isProposed(match),
  since: match.createdAt,
})

const named = (playerIds: readonly string[]): string => playerIds.map((playerId) => JSON.stringify(playerId)).join(', ')

/** Rejects with PLAYER_IN_MATCH when a live match keeps one of these players out of other matches. */
export function playersFree(held: readonly HeldPlayer[]): Decision<never> {
  if (held.length === 0) return accept()
  const matches = [...new Set(held.map(({ matchId }) => matchId))].join(', ')
  const who = named(held.map(({ playerId }) => playerId))
  return reject('PLAYER_IN_MATCH', `${who} cannot enter another match while in ${matches}; leave that match first`, {
    players: held.map(({ playerId, matchId }) => ({ playerId, matchId })),
  })
}

/**
 * Rejects with PLAYER_IN_MATCH when a match keeps a player from taking a seat. Only a backend learns in which match the player is, because
 * the players of a match may not find this out about other players.
 */
export function mayTakeSeat(held: readonly HeldPlayer[], { backend }: { readonly backend: boolean }): Decision<never> {
  if (held.length === 0 || backend) return playersFree(held)
  const who = named(held.map(({ playerId }) => playerId))
  return reject('PLAYER_IN_MATCH', `${who} cannot take a seat now, because a match has not ended for this player`, {
    players: [],
  })
}

/** Rejects with PLAYER_IN_MATCH when a made match holds one of the players. A proposed match does not prevent another search. */
export const maySearch = (held: readonly HeldPlayer[]): Decision<never> =>
  playersFree(held.filter(({ isProposed }) => !isProposed))

/** Rejects with TOO_MANY_SEARCHES when one of the players already searches in MAX_SEARCHES lobbies. */
export function fewSearches(searches: readonly { readonly playerId: string }[]): Decision<never> {
  const counts = new Map<string, number>()
  for (const { playerId } of searches) counts.set(playerId, (counts.get(playerId) ?? 0) + 1)
  const players = [...counts].flatMap(([playerId, count]) => (count >= MAX_SEARCHES ? [playerId] : []))
  if (players.length === 0) return accept()
  return reject(
    'TOO_MANY_SEARCHES',
    `${named(players)} may search in at most ${MAX_SEARCHES} lobbies at the same time; cancel another search first`,
    { players, limit: MAX_SEARCHES },
  )
}
