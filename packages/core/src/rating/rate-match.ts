import { rate } from 'openskill'
import {
  bradleyTerryFull,
  bradleyTerryPart,
  plackettLuce,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} from 'openskill/models'
import type { Rating, RatingModel, Skill } from './rating'

/** Player of a rated match, with the skill before the match. */
export interface RatedPlayer extends Skill {
  /** Whether the player left the match, which counts as if their team alone was last. */
  readonly left?: boolean
}

/** Team of a rated match. Rank 1 is the best; teams with the same rank share it. */
export interface RankedTeam<P extends RatedPlayer = RatedPlayer> {
  readonly rank: number
  readonly players: readonly P[]
}

const MODELS = {
  plackettLuce,
  bradleyTerryFull,
  bradleyTerryPart,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} as const satisfies Record<RatingModel, unknown>

/**
 * Returns the skills after a match, by team and player. The library computes them. A skill that the library cannot compute, because the
 * values are too far apart for its arithmetic, stays as it was.
 */
export function rateMatch(rating: Pick<Rating, 'model' | 'params'>, teams: readonly RankedTeam[]): Skill[][] {
  const ranks = teams.map(({ rank }) => rank)
  const usual = computed(rating, teams, ranks)
  return teams.map(({ players }, team) => {
    const asLast = players.some(({ left }) => left === true) ? computed(rating, teams, withLast(ranks, team)) : usual
    return players.map(({ mu, sigma, left }, player) => {
      const after = (left === true ? asLast : usual)[team]?.[player]
      return after !== undefined && isUsable(after) ? { mu: after.mu, sigma: after.sigma } : { mu, sigma }
    })
  })
}

/** Returns the options of the library, which every call of it gets. */
export const optionsOf = ({ model, params }: Pick<Rating, 'model' | 'params'>) => ({
  model: MODELS[model],
  beta: params.beta,
  tau: params.tau,
  limitSigma: params.limitSigma,
})

const computed = (rating: Pick<Rating, 'model' | 'params'>, teams: readonly RankedTeam[], rank: number[]) =>
  rate(
    teams.map(({ players }) => players.map(({ mu, sigma }) => ({ mu, sigma }))),
    { ...optionsOf(rating), rank },
  )

/** Returns the ranks with one team alone behind all others. */
const withLast = (ranks: readonly number[], team: number): number[] => {
  const last = Math.max(...ranks) + 1
  return ranks.map((rank, index) => (index === team ? last : rank))
}

const isUsable = ({ mu, sigma }: Skill): boolean => Number.isFinite(mu) && Number.isFinite(sigma) && sigma > 0
