import type { Match } from '@matchyard/core'
import { queueKey } from '@matchyard/core/ports'
import { RATING_ID } from '../rated-place'
import type { Invariant } from './invariant'
import { chancesOf } from './rated'
import type { RatedStore, Snapshot } from './snapshot'

type Counted = NonNullable<Match['counted']>

/** Invariant: a match is counted once: the way in which it was counted stays, apart from erased players. */
export const aMatchIsCountedOnce: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap(({ id, counted: is }) => {
    const was = before?.matches.get(id)?.counted
    if (was === undefined || was === is) return []
    const named = new Set(is?.teams.flatMap(({ players }) => players.map(({ playerId }) => playerId)))
    const teams = was.teams.map((team) => ({
      ...team,
      players: team.players.map((one) => (named.has(one.playerId) ? one : { ...one, playerId: '' })),
    }))
    return JSON.stringify({ ...was, teams }) === JSON.stringify(is) ? [] : [`${id} was counted again`]
  })

/** Whether a queue has named the rating in all kept versions of its settings since the first one that named it. */
function alwaysRated({ queueVersions }: Snapshot, { projectId, queueId }: Match): boolean {
  const named = (queueVersions.get(queueKey(projectId, queueId)) ?? []).map(({ settings }) => settings.rating)
  return named.includes(RATING_ID) && named.slice(0, named.lastIndexOf(RATING_ID)).every((one) => one === RATING_ID)
}

/** Returns the players of each team that has some, in order. A player of several teams counts for the team in which they played last. */
function rosterOf({ teams }: Match): string[] {
  const last = new Map<string, string>()
  const players = teams.flatMap((team) => team.players.map((player) => ({ ...player, team: team.name })))
  for (const { playerId, team } of players.filter(({ leftAt }) => leftAt !== null)) last.set(playerId, team)
  for (const { playerId, team } of players.filter(({ leftAt }) => leftAt === null)) last.set(playerId, team)
  return teams
    .map(({ name, players }) =>
      [...new Set(players.map(({ playerId }) => playerId))].filter((id) => id === '' || last.get(id) === name),
    )
    .filter((playerIds) => playerIds.length > 0)
    .map((playerIds) => playerIds.join())
}

/** Returns what is wrong with the way in which a match was counted in this step. */
function countFaults(match: Match, counted: Counted, ratings: readonly RatedStore['rating'][]): string[] {
  const [rating] = ratings
  const listed = counted.teams.map(({ players }) => players.map(({ playerId }) => playerId).join())
  const chances = rating === undefined ? [] : chancesOf(rating, counted)
  const isOfNow = ratings.some(
    ({ key, seasons, params }) =>
      counted.ratingKey === key &&
      counted.season === seasons.length &&
      JSON.stringify(counted.params) === JSON.stringify(params),
  )
  return [
    ...(listed.join('|') === rosterOf(match).join('|') ? [] : [`${match.id} was counted for other players`]),
    ...(isOfNow ? [] : [`${match.id} was counted with settings that the rating does not have`]),
    ...(counted.teams.every(({ predicted }, team) => predicted === chances[team])
      ? []
      : [`${match.id} was counted with another prediction`]),
  ]
}

/**
 * Invariant: the first result of a match that was played to its end counts it, when the queue has a rating: for everybody who played, with
 * the present season and parameters of the rating. No other match is counted.
 */
export const aRatedResultIsCounted: Invariant = ({ now, before }) => {
  const { rated } = now
  const old = before?.rated
  if (rated === undefined || old === undefined) return []
  return [...now.matches.values()].flatMap((match) => {
    const { id, counted, result } = match
    const was = before?.matches.get(id)
    if (was?.counted !== undefined || (counted === undefined && was?.result === result)) return []
    if (counted !== undefined && result?.completed !== true) return [`${id} was counted, and was not played to its end`]
    if (counted !== undefined) return countFaults(match, counted, [rated.rating, old.rating])
    const counts = result?.completed === true && rosterOf(match).length > 1 && alwaysRated(now, match)
    return counts ? [`${id} has a result and was not counted`] : []
  })
}
