import type { Context } from '../context/context'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { withoutLobby, withoutPlayer } from '../match/roster'
import { stopServer } from '../server/decide'
import type { Plan } from './draft'

/**
 * When players of a running match leave, its roster marks them; when the last lobby of a match is gone, the match is over
 * and its server is stopped (contract §6) — in the same commit, so no server is ever left without a match.
 */
export async function departures(
  ctx: Context,
  plan: Plan,
  before: Lobby,
  events: readonly LobbyEvent[],
): Promise<void> {
  if (before.matchId === null) return
  const leaving = events.filter((event) => event.type === 'player_left').map((event) => event.playerId)
  const deleted = events.some((event) => event.type === 'lobby_deleted')
  if (leaving.length === 0 && !deleted) return
  const match = await ctx.storage.get('match', before.matchId)
  if (match === undefined) return
  const rosters = leaving.reduce((roster, playerId) => withoutPlayer(roster, before.id, playerId, plan.at), match)
  const after = deleted ? withoutLobby(rosters, before.id, plan.at) : rosters
  const over = after.lobbyIds.length === 0 && after.endedAt === null
  const next = plan.update('match', match, over ? { ...after, endedAt: plan.at } : after)
  if (!over) return
  plan.tell({ type: 'match_ended', match: next, reason: 'all its lobbies are gone' }, match.projectId)
  const server = match.serverId === null ? undefined : await ctx.storage.get('server', match.serverId)
  if (server !== undefined) plan.server(server, stopServer(server, 'all lobbies of its match are gone'))
}
