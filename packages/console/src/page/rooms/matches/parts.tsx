import type { MatchSnapshot } from '@matchyard/client'
import { outcomeOf, Status, StatusOf, span } from '../../ui'
import { now } from '../../ui/time'

/** Returns all players of a match, with those who left. */
export const playersOf = (match: MatchSnapshot) => match.teams.flatMap(({ players }) => players)

/** Time for which a match has lasted, or lasted until its end. */
export function Lasted({ match }: { readonly match: MatchSnapshot }) {
  const until = match.ended_at === null ? now.value : Date.parse(match.ended_at)
  return <>{span(Math.max(0, Math.round((until - Date.parse(match.created_at)) / 1_000)))}</>
}

/** Shows how a match ended, or its status while it has not ended. */
export function Outcome({ match }: { readonly match: MatchSnapshot }) {
  if (match.end_reason === null) return <StatusOf kind="match" is={match.status} />
  const [tone, what] = outcomeOf(match.end_reason)
  return <Status tone={tone}>{what}</Status>
}
