import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import { decideBanPlayer as decideBan, decideUnbanPlayer as decideUnban, mayBeBanned } from '../../lobby/bans'
import { withinSize } from '../../lobby/decide'
import { evolveLobbyAll } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import { queueKey } from '../../queue/queue'
import { actingOn } from './acting-on'

export interface BanPlayerInput extends OnLobbyByBackend {
  /** Player who is banned or unbanned. */
  readonly targetPlayerId: string
}

export async function banPlayer(ctx: Service, input: BanPlayerInput, call?: CallOptions): Promise<Lobby> {
  const { playerId: by, backend, targetPlayerId: playerId } = input
  orThrow(mayBeBanned({ playerId, by }))
  return change(
    ctx,
    ofLobby,
    actingOn(input),
    async (lobby, draft) => {
      const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
      const hostLeaveBehavior = queue?.hostLeaveBehavior ?? 'promote'
      const decision = decideBan(lobby, { playerId, by, backend, hostLeaveBehavior })
      if (!decision.ok) return decision
      // The maximum size of a lobby applies to bans by a backend too, unlike to other changes by a backend.
      const judged = withinSize(evolveLobbyAll(lobby, decision.events, draft.at))
      return judged.ok ? accept(...decision.events) : judged
    },
    { call },
  )
}

export async function unbanPlayer(ctx: Service, input: BanPlayerInput, call?: CallOptions): Promise<void> {
  const { playerId: by, backend, targetPlayerId: playerId } = input
  await change(ctx, ofLobby, actingOn(input), (lobby) => decideUnban(lobby, { playerId, by, backend }), {
    call,
    answer: () => null,
  })
}
