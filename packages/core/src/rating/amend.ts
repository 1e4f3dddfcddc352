import type { Skill } from './rating'

/** Change of one player's skill by one result: the skill before the match, and after it. A match that does not count changes nothing. */
export interface SkillChange {
  readonly before: Skill
  readonly after: Skill
}

/**
 * Returns a present skill after the amendment of an earlier result. Matches that were counted since are not computed again: `mu` moves by
 * the difference of the two changes, and `sigma` by the ratio of their uncertainties, at most up to the uncertainty of a new player.
 */
export function amendedSkill(now: Skill, was: SkillChange, is: SkillChange, initial: Skill): Skill {
  const delta = ({ before, after }: SkillChange) => after.mu - before.mu
  const mu = now.mu + (delta(is) - delta(was))
  const sigma = Math.min(now.sigma * (is.after.sigma / was.after.sigma), initial.sigma)
  return sigma > 0 && Number.isFinite(mu) ? { mu, sigma } : now
}
