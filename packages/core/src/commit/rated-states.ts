import type { LobbyEvent } from '../lobby/events'
import type { Lobby, LobbyPlayer } from '../lobby/lobby'
import { playerIdsOf } from '../lobby/members'
import { stateChanged } from '../lobby/trusted-state'
import type { Ports } from '../ports/ports'
import { type Queue, type RatingFields, ratingOf } from '../queue/queue'
import { type Rating, type Skill, shownUncertainty, shownValue } from '../rating/rating'
import { currentStanding } from '../rating/standing'
import { ratingOfQueue } from '../reads/rating-of-match'
import { newestStandings, standingId } from '../reads/standings'
import type { Draft } from './draft'
import { putStandings } from './rows/standing'

/**
 * Returns the events that write the players' ratings into their states, when the queue has a rating. The standings of players who have not
 * played in the present season yet begin with it. The commit checks the version of the rating.
 */
export async function ratedStates(ctx: Ports, draft: Draft, queue: Queue, lobby: Lobby): Promise<LobbyEvent[]> {
  const fields = ratingOf(queue)?.fields
  const rating = await ratingOfQueue(ctx, queue)
  if (fields === undefined || rating === undefined) return []
  draft.check('rating', rating)
  const newest = await newestStandings(ctx, rating.key, playerIdsOf(lobby))
  putStandings(
    draft,
    [...newest.values()].flatMap((before) => {
      const after = { ...currentStanding(rating, before), updatedAt: draft.at }
      const earlierId = standingId(ctx, rating.key, before.playerId, before.season)
      return before.season === after.season ? [] : [{ before, after, earlierId }]
    }),
  )
  return lobby.players.flatMap((player) => {
    const stored = newest.get(player.playerId)
    const skill = stored === undefined ? rating.initial : currentStanding(rating, stored)
    return withRating(player, rating, fields, skill)
  })
}

function withRating(player: LobbyPlayer, rating: Rating, fields: RatingFields, skill: Skill): LobbyEvent[] {
  const written = { [fields.value]: shownValue(rating, skill), [fields.uncertainty]: shownUncertainty(rating, skill) }
  const names = Object.keys(written)
  const proven = player.proven ?? []
  const isSame = names.every((name) => player.state[name] === written[name] && proven.includes(name))
  if (isSame) return []
  const { hidden } = player
  const state = { ...player.state, ...written }
  return [
    stateChanged(player.playerId, { state, proven: [...new Set([...proven, ...names])], ...(hidden && { hidden }) }),
  ]
}
