import { winProbabilities } from '@matchyard/core/domain'
import type { RatedSkill, TrialPlayer } from './players'

/** Rating of a trial, as far as its chances depend on it. */
export type TrialRating = Parameters<typeof winProbabilities>[0]

/** Range of a win probability in which a match is even. */
const EVEN = { from: 0.4, to: 0.6 } as const

export const isEven = (chance: number): boolean => chance >= EVEN.from && chance <= EVEN.to

/**
 * Returns the probability with which the first of two teams wins, by the true skills of the players: the model of the
 * rating without uncertainty. The models of Plackett-Luce and Bradley-Terry have a logistic curve, those of
 * Thurstone-Mosteller a normal curve.
 */
export function trueChance({ model, params }: TrialRating, teams: readonly (readonly TrialPlayer[])[]): number {
  const [first = 0, second = 0] = teams.map((players) => players.reduce((sum, { skill }) => sum + skill, 0))
  if (!model.startsWith('thurstoneMosteller')) return 1 / (1 + Math.exp((second - first) / (Math.SQRT2 * params.beta)))
  const certain = [first, second].map((mu) => [{ mu, sigma: 0 }])
  return winProbabilities({ model: 'thurstoneMostellerFull', params }, certain)?.[0] ?? 0.5
}

/** Returns the probability with which the rating predicts that the first of two teams wins. */
const predicted = (rating: TrialRating, teams: readonly (readonly RatedSkill[])[]): number =>
  winProbabilities(rating, teams)?.[0] ?? 0.5

/**
 * Whether the waiting players could form an even match with this player, by the rating: the player with those whose
 * ratings are nearest, who are seated in turn from the best to the weakest (first, second, second, first …).
 */
export function couldBeEven(
  rating: TrialRating,
  player: TrialPlayer,
  waiting: Iterable<TrialPlayer>,
  teamSize: number,
): boolean {
  const distance = ({ rated }: TrialPlayer) => Math.abs(rated.mu - player.rated.mu)
  const others = [...waiting].filter((other) => other !== player).sort((a, b) => distance(a) - distance(b))
  if (others.length < 2 * teamSize - 1) return false
  const seated = [player, ...others.slice(0, 2 * teamSize - 1)].map(({ rated }) => rated).sort((a, b) => b.mu - a.mu)
  const isFirst = (place: number) => place % 4 === 0 || place % 4 === 3
  return isEven(
    predicted(rating, [seated.filter((_, place) => isFirst(place)), seated.filter((_, place) => !isFirst(place))]),
  )
}
