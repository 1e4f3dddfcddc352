import type { RecentPlayer } from '@matchyard/matchmaking'
import type { Instant } from '../shared/time'
import { ERASED, isDirectStart, type Match, type MatchPlayer } from './match'

/** Part of a running match for which one player was in it. */
interface Presence extends Pick<MatchPlayer, 'playerId'> {
  readonly team: string
  readonly from: Instant
  readonly to: Instant
}

/** Whether players meet in the match for `recent_opponents` rules: it was running, and it was not a direct start. */
export const countsAsMeeting = (match: Match): boolean => match.startedAt !== undefined && !isDirectStart(match)

/**
 * Returns the players who were in the match at the same time as a player. A player who joined the running match meets those who were in it
 * from then on. Every meeting has the instant at which the match began.
 */
export function metIn(match: Match, playerId: string): RecentPlayer[] {
  const { startedAt } = match
  if (startedAt === undefined || !countsAsMeeting(match)) return []
  const presences = presencesOf(match, startedAt)
  const own = presences.filter((presence) => presence.playerId === playerId)
  return presences.flatMap((other) => {
    const meetings =
      other.playerId === playerId ? [] : own.filter((mine) => mine.from <= other.to && other.from <= mine.to)
    if (meetings.length === 0) return []
    const opponent = meetings.some(({ team }) => team !== other.team)
    return [{ playerId: other.playerId, at: startedAt, opponent }]
  })
}

const presencesOf = ({ teams, endedAt }: Match, startedAt: Instant): Presence[] =>
  teams.flatMap(({ name: team, players }) =>
    players.flatMap(({ playerId, joinedAt = startedAt, leftAt }) => {
      const to = leftAt ?? endedAt ?? Number.POSITIVE_INFINITY
      return playerId === ERASED ? [] : [{ playerId, team, from: Math.max(startedAt, joinedAt), to }]
    }),
  )
