import type { CallOptions, Context } from '../context/context'
import { requireLobby } from '../context/require'
import { orThrow } from '../errors/service-error'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Decision } from '../shared/decision'
import { checkLobbySize } from '../use-cases/lobbies/free-form'
import { departures } from './departures'
import { Plan } from './draft'
import { transact } from './transact'

export interface LobbyChange {
  readonly projectId: string
  readonly lobbyId: string
  /** The acting player, who is seen by this; undefined for the service itself and for backends. */
  readonly playerId?: string | undefined
}

/** What a decider may need beside the lobby: the instant, and the plan to add checks to. */
export type DecideLobby = (lobby: Lobby, plan: Plan) => Decision<LobbyEvent> | Promise<Decision<LobbyEvent>>

/**
 * The way of every change of one lobby: read, decide, commit with the version that was read, again on a lost race.
 * Departures carry their consequences for the match in the same commit. Answers the lobby as the commit left it.
 */
export async function changeLobby(
  ctx: Context,
  change: LobbyChange,
  decide: DecideLobby,
  call?: CallOptions,
): Promise<Lobby> {
  let deleted = false
  const lobby = await ctx.turns.run(change.lobbyId, () =>
    transact(ctx, call, async () => {
      const before = await requireLobby(ctx, change.projectId, change.lobbyId)
      const plan = new Plan(ctx.clock.now())
      const events = orThrow(await decide(before, plan))
      deleted = events.some((event) => event.type === 'lobby_deleted')
      const after = plan.lobby(before, events)
      if (change.playerId !== undefined) checkLobbySize(after)
      await departures(ctx, plan, before, events)
      return { plan, answer: after }
    }),
  )
  // What is gone has forgotten its presence, and must not be given one again.
  if (!deleted && change.playerId !== undefined && memberOf(lobby, change.playerId) !== undefined) {
    await ctx.presence.touch(lobby.id, change.playerId, ctx.clock.now())
  }
  return lobby
}
