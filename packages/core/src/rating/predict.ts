import { predictWin } from 'openskill'
import { optionsOf } from './rate-match'
import type { Rating, RatingModel, Skill } from './rating'

/** How even a match is by the ratings of its players, at the time at which it was made. */
export interface MatchQuality {
  /** Predicted probability that each team wins, in the order of the teams. */
  readonly winProbability: readonly number[]
}

/**
 * Units of skill of each model in one unit of the normal curve, by which the library predicts. The models of Plackett-Luce and
 * Bradley-Terry learn skills for a logistic curve, which is within 0.01 of a normal curve that is 1.702 times as wide. The library
 * doubles the width of the curve of `thurstoneMostellerPart`.
 */
const UNITS = {
  plackettLuce: 1.702,
  bradleyTerryFull: 1.702,
  bradleyTerryPart: 1.702,
  thurstoneMostellerFull: 1,
  thurstoneMostellerPart: 2,
} as const satisfies Record<RatingModel, number>

/**
 * Returns the predicted probability of winning for each team, in order; undefined with fewer than two teams, because nobody can win. The
 * library predicts. For two teams it gets the skills in the unit of its curve, because its prediction would be too sure otherwise. For
 * more teams it gets the skills as they are: it takes means over pairs of teams, which are too cautious by as much.
 */
export function winProbabilities(
  rating: Pick<Rating, 'model' | 'params'>,
  teams: readonly (readonly Skill[])[],
): readonly number[] | undefined {
  if (teams.filter((players) => players.length > 0).length < 2) return undefined
  const unit = teams.length === 2 ? UNITS[rating.model] : 1
  const chances = predictWin(
    teams.map((players) => players.map(({ mu, sigma }) => ({ mu: mu / unit, sigma }))),
    optionsOf(rating),
  )
  return chances.every(Number.isFinite) ? chances.map((chance) => Math.min(1, Math.max(0, chance))) : undefined
}
