import { accept } from '../errors/decision'
import { isNotFound } from '../errors/service-error'
import { departFromLobby } from '../lobby/decide'
import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Service } from '../node/service'
import { queueKey } from '../queue/queue'
import type { CallOptions } from './call-options'
import { ofLobby } from './of-lobby'
import { change } from './transact'

/**
 * Removes a player whose departure the game server or another system reports, in any state of the lobby. The effects are the same as when
 * the player leaves; an excused player gets no penalty. For a player who is not a member nothing changes. Returns whether the lobby exists.
 */
export async function departByReport(
  ctx: Service,
  target: { readonly projectId: string; readonly lobbyId: string },
  player: { readonly playerId: string; readonly isExcused: boolean },
  concerns: (lobby: Lobby) => boolean = () => true,
  call?: CallOptions,
): Promise<boolean> {
  const depart = async (lobby: Lobby) => {
    if (memberOf(lobby, player.playerId) === undefined || !concerns(lobby)) return accept()
    const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
    const hostLeaveBehavior = queue?.hostLeaveBehavior ?? 'promote'
    return departFromLobby(lobby, { ...player, reason: 'left', hostLeaveBehavior })
  }
  try {
    await change(ctx, ofLobby, target, depart, { call, answer: () => null })
    return true
  } catch (error) {
    if (!isNotFound(error)) throw error
    return false
  }
}
