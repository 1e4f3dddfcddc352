import { coolingOf } from '../../commit/rows/cooldown'
import { orThrow } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import { playerIdsOf } from '../../lobby/members'
import { fewSearches, maySearch } from '../../match/one-match'
import type { Ports } from '../../ports/ports'
import { cooledDown, usesCooldowns } from '../../queue/cooldown'
import { claimsPlayers, type Queue } from '../../queue/queue'
import { heldOf } from '../../reads/live-matches'

/**
 * Checks that all players may search now. Each check only reads: players who enter a match or another queue at the same time are found when
 * a match is made. Throws PLAYER_IN_MATCH, TOO_MANY_SEARCHES, PLAYER_COOLING_DOWN, in this order.
 */
export async function checkPlayers(ctx: Ports, queue: Queue, lobby: Lobby, at: number): Promise<void> {
  const { projectId } = lobby
  const playerIds = playerIdsOf(lobby)
  const [held, searches, cooling] = await Promise.all([
    claimsPlayers(queue) ? heldOf(ctx, projectId, playerIds) : [],
    ctx.storage.lobbies.searching(projectId, playerIds),
    usesCooldowns(queue) ? coolingOf(ctx, queue, playerIds) : [],
  ])
  orThrow(maySearch(held))
  orThrow(fewSearches(searches))
  orThrow(cooledDown(queue, cooling, at))
}
