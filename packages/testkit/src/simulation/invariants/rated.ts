import type { Match, MatchResult, Rating } from '@matchyard/core'
import { predictWin, rate } from 'openskill'
import {
  bradleyTerryFull,
  bradleyTerryPart,
  plackettLuce,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} from 'openskill/models'
import type { RatedStanding, RatedStore, Snapshot } from './snapshot'

export interface Skill {
  readonly mu: number
  readonly sigma: number
}

/** Change of one player's skill by one result. */
export interface SkillMove {
  readonly before: Skill
  readonly after: Skill
}

type Counted = NonNullable<Match['counted']>

/** A match that the rating counts or counted: its result can be one that does not count. */
export interface CountedNow extends Match {
  readonly counted: Counted
  readonly result: MatchResult
}

const MODELS = {
  plackettLuce,
  bradleyTerryFull,
  bradleyTerryPart,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} as const satisfies Record<Rating['model'], unknown>

const optionsOf = ({ model }: Pick<Rating, 'model'>, { beta, tau, limitSigma }: Rating['params']) => ({
  model: MODELS[model],
  beta,
  tau,
  limitSigma,
})

/** Returns the matches that the present rating ever counted, also those that were taken back. */
export const countedMatches = ({ matches }: Snapshot, { rating }: RatedStore): CountedNow[] =>
  [...matches.values()].filter(
    (match): match is CountedNow => match.counted?.ratingKey === rating.key && match.result !== undefined,
  )

/** Returns the standings of a season. */
export const standingsOf = ({ standings }: RatedStore, season: number): RatedStanding[] =>
  standings.filter((standing) => standing.season === season)

/** Returns the rank of each team in a result; the highest score has rank 1 if the result has no ranks. */
export function rankIn({ teams }: MatchResult, name: string): number {
  const team = teams.find((one) => one.name === name)
  if (team === undefined) return Number.MAX_SAFE_INTEGER
  return team.rank ?? 1 + teams.filter(({ score }) => (score ?? 0) > (team.score ?? 0)).length
}

/** Width of each model's curve of predictions for two teams, in widths of the library's curve (ADR 204). */
const WIDTHS: Readonly<Record<Rating['model'], number>> = {
  ...{ plackettLuce: 1.702, bradleyTerryFull: 1.702, bradleyTerryPart: 1.702 },
  ...{ thurstoneMostellerFull: 1, thurstoneMostellerPart: 2 },
}

/** Returns the predicted probability of winning of each team of a counted match. */
export function chancesOf(rating: Pick<Rating, 'model'>, { teams, params }: Counted): number[] {
  const width = teams.length === 2 ? WIDTHS[rating.model] : 1
  return predictWin(
    teams.map(({ players }) => players.map(({ mu, sigma }) => ({ mu: mu / width, sigma }))),
    optionsOf(rating, params),
  )
}

/** Changes that were computed, by the count of the match and by the result. These objects are never changed. */
const known = new WeakMap<Counted, WeakMap<MatchResult, ReadonlyMap<string, SkillMove>>>()

/** Returns the skills before and after a result of a counted match, by player. */
export function changeOf(
  rating: Pick<Rating, 'model'>,
  counted: Counted,
  result: MatchResult,
): ReadonlyMap<string, SkillMove> {
  const results = known.get(counted) ?? new WeakMap<MatchResult, ReadonlyMap<string, SkillMove>>()
  known.set(counted, results)
  const moves = results.get(result) ?? computedChange(rating, counted, result)
  results.set(result, moves)
  return moves
}

/**
 * Computes the change by the library `openskill`. A player who left has the skill of a second computation, in which the player's team alone
 * is last. A result that does not count changes no skill.
 */
function computedChange(
  { model }: Pick<Rating, 'model'>,
  { teams, params }: Counted,
  result: MatchResult,
): Map<string, SkillMove> {
  const skills = teams.map(({ players }) => players.map(({ mu, sigma }) => ({ mu, sigma })))
  const ranks = teams.map(({ name }) => rankIn(result, name))
  const computed = (rank: number[]) => rate(skills, { ...optionsOf({ model }, params), rank })
  const usual = result.completed ? computed(ranks) : skills
  const isLeft = (playerId: string) => result.players.some((one) => one.left && one.playerId === playerId)
  const moves = teams.flatMap(({ players }, team) => {
    const leaves = result.completed && players.some(({ playerId }) => isLeft(playerId))
    const last = leaves ? computed(ranks.map((rank, other) => (other === team ? Math.max(...ranks) + 1 : rank))) : usual
    return players.map(({ playerId, mu, sigma }, place) => {
      const before = { mu, sigma }
      return [playerId, { before, after: (isLeft(playerId) ? last : usual)[team]?.[place] ?? before }] as const
    })
  })
  return new Map(moves.filter(([playerId]) => playerId !== ''))
}

/** Returns a skill that a player takes from one season into a later one. Each season between counts, in order. */
export const takenInto = ({ seasons, initial }: Rating, { mu, sigma }: Skill, from: number, to: number): Skill =>
  seasons.slice(from, to).reduce(
    (skill, { keep }) => ({
      mu: skill.mu + (1 - keep) * (initial.mu - skill.mu),
      sigma: skill.sigma + (1 - keep) * (initial.sigma - skill.sigma),
    }),
    { mu, sigma },
  )

/** Whether two numbers are equal, apart from the rounding of a few additions. */
export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

const strength = ({ mu, sigma }: Skill) => mu - 3 * sigma
const byPlayer = (a: { readonly playerId: string }, b: { readonly playerId: string }) =>
  a.playerId < b.playerId ? -1 : Number(a.playerId > b.playerId)

/** Returns standings in the order of a leaderboard: `mu` - 3 `sigma` from high to low, then the player's id. */
export const inBoardOrder = <T extends Skill & { readonly playerId: string }>(standings: readonly T[]): T[] =>
  [...standings].sort((a, b) => strength(b) - strength(a) || byPlayer(a, b))
