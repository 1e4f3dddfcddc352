import type { Lobby, Match } from '@matchyard/core'
import { ERASED, isProposed } from '@matchyard/core/domain'
import type { Snapshot } from './snapshot'

/** A player in a match that keeps the player out of other matches, made or proposed. */
export interface Held {
  readonly playerId: string
  readonly lobbyId: string
  readonly match: Match
}

/** Returns the players whom live matches keep out of other matches. */
export const heldIn = ({ matches }: Pick<Snapshot, 'matches'>): Held[] =>
  [...matches.values()].flatMap((match) =>
    match.holdsPlayers === true && match.endedAt === null
      ? match.teams.flatMap(({ players }) =>
          players.flatMap(({ playerId, lobbyId, leftAt }) =>
            leftAt === null && playerId !== ERASED ? [{ playerId, lobbyId, match }] : [],
          ),
        )
      : [],
  )

/** Returns the ids of the players who are in a made match that keeps them out of other matches. */
export const playersInMadeMatches = (now: Snapshot): Set<string> =>
  new Set(heldIn(now).flatMap(({ playerId, match }) => (isProposed(match) ? [] : [playerId])))

/** Returns the key of a player's hold by a made match, as `Snapshot.begun` has it. */
export const holdKey = (matchId: string, playerId: string): string => `${matchId} ${playerId}`

/** Returns the holds of made matches whose match and lobby did not change at the time of the snapshot. */
export const settledHolds = (now: Snapshot): Held[] =>
  heldIn(now).filter(({ lobbyId, match }) => {
    const changedAt = Math.max(match.createdAt, now.lobbies.get(lobbyId)?.updatedAt ?? now.at)
    return !isProposed(match) && changedAt < now.at
  })

/** Whether a lobby's queue allows a player only one live match. */
export const isExclusive = ({ queues }: Snapshot, { projectId, queueId }: Lobby): boolean =>
  queues.get(`${projectId}/${queueId}`)?.concurrentMatches !== true

/** Milliseconds after which a search that was set aside is looked at again. */
const ASIDE_MS = 1_000

/**
 * Returns the ids of the players whose searches may be set aside: another match holds them, or held them until a moment
 * ago.
 */
export function playersSetAside({ matches, at }: Snapshot): Set<string> {
  const recent = (instant: number | null) => instant === null || instant >= at - ASIDE_MS
  return new Set(
    [...matches.values()].flatMap((match) =>
      match.holdsPlayers === true && recent(match.endedAt)
        ? match.teams.flatMap(({ players }) =>
            players.flatMap(({ playerId, leftAt }) => (recent(leftAt) ? [playerId] : [])),
          )
        : [],
    ),
  )
}
