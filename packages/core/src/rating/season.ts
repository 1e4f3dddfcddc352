import type { Rating, Season, Skill } from './rating'
import { seasonNow } from './rating'

/** Returns the skill at the begin of a new season: moved toward the initial skill, by the share that the season does not keep. */
const inSeason = ({ mu, sigma }: Skill, { keep }: Pick<Season, 'keep'>, initial: Skill): Skill => ({
  mu: mu + (1 - keep) * (initial.mu - mu),
  sigma: sigma + (1 - keep) * (initial.sigma - sigma),
})

/** Returns a skill of an earlier season in the present season. Each season that began since counts once, in order. */
export const carriedSkill = (rating: Pick<Rating, 'seasons' | 'initial'>, skill: Skill, season: number): Skill =>
  rating.seasons
    .slice(season, seasonNow(rating))
    .reduce<Skill>((now, begun) => inSeason(now, begun, rating.initial), { mu: skill.mu, sigma: skill.sigma })
