import type { MatchEvent } from '../../match/events'
import type { Match } from '../../match/match'
import type { MatchResult } from '../../match/result'
import type { Ports } from '../../ports/ports'
import type { RatedOutcome } from '../../rating/match-teams'
import { ratingOfMatch } from '../../reads/rating-of-match'
import type { Draft } from '../draft'
import { rateResult } from '../rate-result'

/**
 * Returns the events of a match; those of a recorded result have the way in which a rating counts the match. Adds the changes of the rating
 * to the commit of the result, so that each result counts once.
 */
export const withRating = (
  ctx: Ports,
  draft: Draft,
  match: Match,
  events: readonly MatchEvent[],
): Promise<MatchEvent[]> => Promise.all(events.map((event) => rated(ctx, draft, match, event)))

async function rated(ctx: Ports, draft: Draft, match: Match, event: MatchEvent): Promise<MatchEvent> {
  const rating = event.type === 'match_resulted' ? await ratingOfMatch(ctx, match) : undefined
  if (event.type !== 'match_resulted' || rating === undefined) return event
  const before = match.result && asRated(match.result)
  const counted = await rateResult(ctx, draft, { match, before, after: asRated(event.result), rating })
  return counted === undefined ? event : { ...event, counted }
}

const asRated = ({ teams, players, completed }: MatchResult): RatedOutcome => ({
  teams: teams.map(({ name, rank, score }) => ({
    name,
    ...(rank === null ? {} : { rank }),
    ...(score === null ? {} : { score }),
  })),
  players: players.map(({ playerId, left }) => ({ playerId, left })),
  completed,
})
