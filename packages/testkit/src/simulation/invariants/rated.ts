import type { Match, MatchResult, Rating } from '@matchyard/core'
import { rateMatch } from '@matchyard/core/domain'
import type { RatedStanding, RatedStore, Snapshot } from './snapshot'

export interface Skill {
  readonly mu: number
  readonly sigma: number
}

/** A match that the rating counts or counted: its result can be one that does not count. */
export interface CountedNow extends Match {
  readonly counted: NonNullable<Match['counted']>
  readonly result: MatchResult
}

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

/** Returns the skills before and after a result of a counted match, by player. A result that does not count changes none. */
export function changeOf(
  { model }: Pick<Rating, 'model'>,
  { counted }: CountedNow,
  result: MatchResult,
): Map<string, { readonly before: Skill; readonly after: Skill }> {
  const left = new Set(result.players.flatMap((player) => (player.left ? [player.playerId] : [])))
  const ranked = counted.teams.map(({ name, players }) => ({
    rank: rankIn(result, name),
    players: players.map(({ playerId, mu, sigma }) => ({ mu, sigma, left: playerId !== '' && left.has(playerId) })),
  }))
  const after = result.completed ? rateMatch({ model, params: counted.params }, ranked) : undefined
  return new Map(
    counted.teams.flatMap(({ players }, team) =>
      players.map(({ playerId, mu, sigma }, player) => {
        const before = { mu, sigma }
        return [playerId, { before, after: after?.[team]?.[player] ?? before }] as const
      }),
    ),
  )
}

/** Returns a skill that a player takes from one season into a later one. */
export const takenInto = ({ seasons, initial }: Rating, { mu, sigma }: Skill, from: number, to: number): Skill =>
  seasons.slice(from, to).reduce(
    (skill, { keep }) => ({
      mu: initial.mu + keep * (skill.mu - initial.mu),
      sigma: initial.sigma + keep * (skill.sigma - initial.sigma),
    }),
    { mu, sigma },
  )

/** Whether two numbers are equal, apart from the rounding of a few additions. */
export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b))

const strength = ({ mu, sigma }: Skill) => mu - 3 * sigma
const byPlayer = (a: { readonly playerId: string }, b: { readonly playerId: string }) =>
  a.playerId < b.playerId ? -1 : Number(a.playerId > b.playerId)

/** Returns standings in the order of a leaderboard: `mu` - 3 `sigma` from high to low, then the player's id. */
export const inBoardOrder = <T extends Skill & { readonly playerId: string }>(standings: readonly T[]): T[] =>
  [...standings].sort((a, b) => strength(b) - strength(a) || byPlayer(a, b))

/** Returns the players who are listed in the wrong order. */
export function orderFaults(listed: readonly (Skill & { readonly playerId: string })[]): string[] {
  const names = (some: readonly { readonly playerId: string }[]) => some.map(({ playerId }) => playerId).join()
  const right = names(inBoardOrder(listed))
  return names(listed) === right ? [] : [`a leaderboard lists ${names(listed)}, and not ${right}`]
}
