import { accept } from '../errors/decision'
import { isNotFound } from '../errors/service-error'
import { leaveQueue } from '../lobby/decide'
import type { Lobby } from '../lobby/lobby'
import { playerIdsOf } from '../lobby/members'
import { stayOf } from '../lobby/stay'
import type { Match } from '../match/match'
import { isProposed } from '../match/proposal'
import { heldPlayers } from '../match/roster'
import type { Service } from '../node/service'
import { claimsPlayers, queueKey } from '../queue/queue'
import { heldOf } from '../reads/live-matches'
import type { Draft } from './draft'
import { ofLobby } from './of-lobby'
import { change } from './transact'

/** Ends the other searches of the players of a match; see `endTheirSearches`. */
export async function endOtherSearches(ctx: Service, matchId: string): Promise<void> {
  const match = await ctx.storage.get('match', matchId)
  if (match !== undefined) await endTheirSearches(ctx, match)
}

/**
 * Ends the searches in which the players of a made match also are: their lobbies return to `waiting` with `matched_elsewhere`. Searches in
 * queues with `concurrentMatches` continue. Does nothing for a proposed match, whose players continue to search when it is not made.
 */
async function endTheirSearches(ctx: Service, match: Match): Promise<void> {
  const { projectId } = match
  const playerIds = isProposed(match) ? [] : heldPlayers(match)
  if (playerIds.length === 0) return
  const searches = await ctx.storage.lobbies.searching(projectId, playerIds)
  for (const lobbyId of new Set(searches.map((search) => search.lobbyId))) {
    await change(ctx, ofLobby, { projectId, lobbyId }, (lobby, draft) => endSearch(ctx, match.id, lobby, draft), {
      answer: () => null,
    }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
}

/** Decides with the present match and queue, so that a search that began after a player left the match is not ended. */
async function endSearch(ctx: Service, matchId: string, lobby: Lobby, draft: Draft) {
  const [match, queue] = await Promise.all([
    ctx.storage.get('match', matchId),
    ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId)),
  ])
  if (match === undefined || queue === undefined || stayOf(lobby) === undefined || !claimsPlayers(queue))
    return accept()
  const held = new Set(heldPlayers(match))
  if (!lobby.players.some(({ playerId }) => held.has(playerId))) return accept()
  draft.check('match', match).check('queue', queue)
  return leaveQueue(lobby, 'matched_elsewhere')
}

/**
 * Ends a search that has just begun when a player of it is in a made match. The players are checked before the commit of the search, and
 * the job of a match that was made between the check and the commit may have run before the search began. Returns the present lobby.
 */
export async function endIfMatched(ctx: Service, lobby: Lobby): Promise<Lobby> {
  if (stayOf(lobby) === undefined) return lobby
  try {
    const made = (await heldOf(ctx, lobby.projectId, playerIdsOf(lobby))).find(({ isProposed }) => !isProposed)
    if (made === undefined) return lobby
    const target = { projectId: lobby.projectId, lobbyId: lobby.id }
    return await change(ctx, ofLobby, target, (now, draft) => endSearch(ctx, made.matchId, now, draft))
  } catch (error) {
    // The search has begun, and the call must say so. A director that forms a match with this search sets it aside.
    if (!isNotFound(error)) ctx.logger.warn('a new search was not checked', { lobby: lobby.id, error: String(error) })
    return lobby
  }
}
