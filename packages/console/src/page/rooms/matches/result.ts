import type { MatchSnapshot } from '@matchyard/client'
import type { MatchResult } from '@matchyard/client/admin'
import type { Tone } from '../../ui/statuses'

/** Milliseconds after the end of a match during which its first result is recorded. */
const RESULT_AWAITED_MS = 86_400_000
/** Milliseconds after the first result of a match during which it may be amended. */
const RESULT_AMENDED_MS = 7 * RESULT_AWAITED_MS

/** Whether a result of the match can be recorded or amended at an instant, in milliseconds since 1970. */
export function mayReport({ result, started_at, ended_at }: MatchSnapshot, at: number): boolean {
  if (result !== null) return at <= Date.parse(result.recorded_at) + RESULT_AMENDED_MS
  return started_at !== null && (ended_at === null || at <= Date.parse(ended_at) + RESULT_AWAITED_MS)
}

/** Returns the place of each team by its name: 1 is the best, and equal teams share a place. */
export function placesOf({ teams }: Pick<MatchResult, 'teams'>): ReadonlyMap<string, number> {
  const better = (score: number | null) => teams.filter((other) => (other.score ?? 0) > (score ?? 0)).length
  return new Map(teams.map(({ name, rank, score }) => [name, rank ?? 1 + better(score)]))
}

/**
 * Returns the team of a player. A player who left one team and came back in another belongs to the later one. The team
 * of an erased player is not known.
 */
export function teamOf({ teams }: Pick<MatchSnapshot, 'teams'>, playerId: string): string | undefined {
  if (playerId === '') return undefined
  const seats = teams.flatMap(({ name, players }) =>
    players.filter(({ player_id }) => player_id === playerId).map(({ left_at }) => ({ name, left_at })),
  )
  return (seats.find(({ left_at }) => left_at === undefined) ?? seats.at(-1))?.name
}

/** Returns the tone and the words for a player's result of a match; undefined without a result. */
export function resultFor(
  match: Pick<MatchSnapshot, 'teams' | 'result'>,
  playerId: string,
): readonly [Tone, string] | undefined {
  const { result } = match
  const team = teamOf(match, playerId)
  const place = result === null || team === undefined ? undefined : placesOf(result).get(team)
  if (result === null || place === undefined) return undefined
  if (!result.completed) return ['still', 'Not completed']
  if (result.players.some(({ player_id, left }) => player_id === playerId && left)) return ['wait', 'Left']
  return wordsOf(place, [...placesOf(result).values()])
}

function wordsOf(place: number, places: readonly number[]): readonly [Tone, string] {
  const isShared = places.filter((other) => other === place).length > 1
  const teamsBefore = places.filter((other) => other < place).length
  if (teamsBefore === 0) return isShared ? ['info', 'Draw'] : ['good', 'Won']
  return places.length === 2 ? ['bad', 'Lost'] : ['info', `Place ${teamsBefore + 1} of ${places.length}`]
}
