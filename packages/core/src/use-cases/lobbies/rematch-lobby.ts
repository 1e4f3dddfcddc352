import { MAX_LIST_BYTES, PLAYER_FOUND } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { unavailableInsteadOf } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import { hostOnly } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobby } from '../../lobby/on-lobby'
import { type Rematch, rematchAs } from '../../match/rematch'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { requireLobby } from '../../reads/require'
import { enqueueLobby } from './enqueue-lobby'
import { startLobby } from './start-lobby'

export type RematchInput = OnLobby

/** Lets the lobby play again in the way of its last match. Starting and entering the queue decide the rest, in their own commit. */
export async function rematchLobby(ctx: Service, input: RematchInput, call?: CallOptions): Promise<Lobby> {
  const { projectId, lobbyId, playerId } = input
  const again = await unavailableInsteadOf(() => lastWay(ctx, input))
  if (again.by === 'queue') return enqueueLobby(ctx, { projectId, lobbyId, playerId }, call)
  return startLobby(ctx, { projectId, lobbyId, playerId, teams: again.teams }, call)
}

async function lastWay(ctx: Ports, { projectId, lobbyId, playerId }: RematchInput): Promise<Rematch> {
  const lobby = await requireLobby(ctx, projectId, lobbyId)
  orThrow(hostOnly(lobby, playerId))
  // The host of a lobby may have joined after its last match, so the matches of the other members are read too.
  for (const member of lobby.players) {
    const matches = await ctx.storage.matches.ofPlayer(projectId, member.playerId, PLAYER_FOUND.matches, MAX_LIST_BYTES)
    const again = rematchAs(matches, lobbyId)
    if (again !== undefined) return again
  }
  const detail = `${lobbyId} has no earlier match among the last ${PLAYER_FOUND.matches} matches of its players; start the lobby, or enter its queue`
  throw new ServiceError('MATCH_NOT_FOUND', detail)
}
