import { finishMatch } from '../../commit/close-match'
import { Plan } from '../../commit/draft'
import type { Outcome } from '../../commit/outcome'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobbyByBackend } from '../../context/inputs'
import { requireLobby, requireMatch } from '../../context/require'
import { ServiceError } from '../../errors/service-error'
import { endGame } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { isHost } from '../../lobby/members'
import { stopServer } from '../../server/decide'

/**
 * Ends the match: its server is stopped and every lobby of it returns to `waiting`. The backend's right, or the host's where the
 * match holds one lobby. Throws NOT_HOST, INVALID_LOBBY_STATE.
 */
export async function endMatch(ctx: Context, input: OnLobbyByBackend, call?: CallOptions): Promise<Lobby> {
  const lobby = await transact(ctx, call, () => decideEnd(ctx, input))
  if (!input.backend && input.playerId !== undefined) {
    await ctx.presence.touch(lobby.id, input.playerId, ctx.clock.now())
  }
  return lobby
}

async function decideEnd(ctx: Context, input: OnLobbyByBackend): Promise<Outcome<Lobby>> {
  const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
  if (!input.backend && !isHost(lobby, input.playerId)) throw notYours(lobby, 'is not its host')
  const match = lobby.matchId === null ? undefined : await requireMatch(ctx, input.projectId, lobby.matchId)
  if (!input.backend && match !== undefined && match.lobbyIds.length > 1) {
    throw notYours(lobby, 'shares its match with other lobbies; the backend ends it')
  }
  const decision = endGame(lobby, 'ended by request')
  if (!decision.ok) throw ServiceError.of(decision.rejected)
  if (match === undefined) throw new Error(`${lobby.id} is in a game without a match`)
  const plan = new Plan(ctx.clock.now())
  const lobbies = await finishMatch(ctx, plan, match, 'ended by request')
  const server = match.serverId === null ? undefined : await ctx.storage.get('server', match.serverId)
  if (server !== undefined) plan.server(server, stopServer(server, 'its match ended'))
  return { plan, answer: lobbies.find((after) => after.id === lobby.id) ?? lobby }
}

const notYours = (lobby: Lobby, why: string) => new ServiceError('NOT_HOST', `the caller of ${lobby.id} ${why}`)
