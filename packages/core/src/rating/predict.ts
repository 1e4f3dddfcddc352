import { predictWin } from 'openskill'
import { optionsOf } from './rate-match'
import type { Rating, Skill } from './rating'

/** How even a match is by the ratings of its players, at the time at which it was made. */
export interface MatchQuality {
  /** Predicted probability that each team wins, in the order of the teams. */
  readonly winProbability: readonly number[]
}

/** Returns the predicted probability of winning for each team, in order; undefined with fewer than two teams, because nobody can win. */
export function winProbabilities(
  rating: Pick<Rating, 'model' | 'params'>,
  teams: readonly (readonly Skill[])[],
): readonly number[] | undefined {
  if (teams.filter((players) => players.length > 0).length < 2) return undefined
  const chances = predictWin(
    teams.map((players) => players.map(({ mu, sigma }) => ({ mu, sigma }))),
    optionsOf(rating),
  )
  return chances.every(Number.isFinite) ? chances.map((chance) => Math.min(1, Math.max(0, chance))) : undefined
}
