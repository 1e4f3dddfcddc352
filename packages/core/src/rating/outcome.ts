import { type BucketSums, sumsOf } from './calibration'
import { type CountedTeam, type RatedOutcome, ranksOf } from './match-teams'
import { rateMatch } from './rate-match'
import type { Rating, Skill } from './rating'

/** Counted team with its rank in a result. Equal teams share a rank. */
export interface TeamInResult extends CountedTeam {
  readonly rank: number
}

/** Result of a counted match, with its teams in the order of the match; undefined for a result that does not count. */
export type CountedResult = { readonly teams: readonly TeamInResult[]; readonly left: ReadonlySet<string> } | undefined

/** Returns the teams of a counted match with their ranks in a result; undefined for a result that is absent or does not count. */
export function countedResult(teams: readonly CountedTeam[], outcome: RatedOutcome | undefined): CountedResult {
  if (outcome === undefined || !outcome.completed) return undefined
  const ranks = ranksOf(outcome)
  return {
    teams: teams.map((team) => ({ ...team, rank: ranks.get(team.name) ?? Number.MAX_SAFE_INTEGER })),
    left: new Set(outcome.players?.flatMap(({ playerId, left }) => (left === true ? [playerId] : []))),
  }
}

/** Returns the skills after a result, by team and player. A result that does not count changes none. */
export function skillsAfter(
  rating: Pick<Rating, 'model' | 'params'>,
  teams: readonly CountedTeam[],
  result: CountedResult,
): Skill[][] {
  if (result === undefined) return teams.map(({ players }) => players.map(skillOf))
  const isLeft = (playerId: string) => playerId !== '' && result.left.has(playerId)
  const ranked = result.teams.map(({ rank, players }) => ({
    rank,
    players: players.map((player) => ({ ...skillOf(player), left: isLeft(player.playerId) })),
  }))
  return rateMatch(rating, ranked)
}

/** Returns what a result adds to the calibration. A result that does not count adds nothing. */
export const calibrationSums = (result: CountedResult): BucketSums[] => sumsOf(result?.teams ?? [])

export const skillOf = ({ mu, sigma }: Skill): Skill => ({ mu, sigma })
