import type { Context } from '../context/context'
import { accept } from '../errors/decision'
import { isNotFound } from '../errors/service-error'
import { departFromLobby } from '../lobby/decide'
import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import { queueKey } from '../queue/queue'
import { ofLobby } from './of-lobby'
import { change } from './transact'

/** Somebody else than the lobby says that a player is gone: as by leaving, in any state. Who is no member of it is gone already. */
export async function departByReport(
  ctx: Context,
  target: { readonly projectId: string; readonly lobbyId: string },
  playerId: string,
  concerns: (lobby: Lobby) => boolean = () => true,
): Promise<void> {
  try {
    await change(ctx, ofLobby, target, async (lobby) => {
      if (memberOf(lobby, playerId) === undefined || !concerns(lobby)) return accept()
      const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
      const hostLeaveBehavior = queue?.hostLeaveBehavior ?? 'promote'
      return departFromLobby(lobby, { playerId, reason: 'left', hostLeaveBehavior })
    })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
