import { checkFreeForm } from '../../catalog/free-form'
import { ofLobby } from '../../commit/of-lobby'
import { stillFits } from '../../commit/still-fits'
import { change } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { requireQueue } from '../../context/require'
import { accept, type Decision } from '../../errors/decision'
import { changePlayerState } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolveLobby } from '../../lobby/evolve'
import { leaveProposal } from '../../lobby/in-proposal'
import type { Lobby, LobbyPlayer } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import { proposalOf, stayOf } from '../../lobby/stay'
import type { JsonObject } from '../../shared/json'
import { checkParty } from './check-party'

export interface UpdatePlayerInput extends OnLobby {
  readonly targetPlayerId: string
  readonly state: JsonObject
  /** Shallow merge, the default: supplied keys replace, null is a value. False replaces the state wholesale. */
  readonly merge?: boolean | undefined
}

/**
 * Changes a player's state: one's own, or any as the host (specification, "Lobbies", rule 5). In the queue the ticket keeps its
 * entry time, and a state that makes the party unmatchable is refused.
 * Throws PLAYER_NOT_IN_LOBBY (of kind `absent` when addressed), PLAYER_STATE_FORBIDDEN, VALIDATION_FAILED,
 * PAYLOAD_TOO_LARGE; of a lobby in the queue MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE, PARTY_CANNOT_MATCH, BUILD_NOT_READY.
 */
export async function updatePlayer(
  ctx: Context,
  input: UpdatePlayerInput,
): Promise<{ lobby: Lobby; player: LobbyPlayer }> {
  const { playerId: by, targetPlayerId: playerId, state, merge = true } = input
  checkFreeForm({ state })
  const lobby = await change(ctx, ofLobby, input, async (before, draft) => {
    const decision = changePlayerState(before, { playerId, by, state, merge })
    const after = decision.ok ? decision.events.reduce(evolveLobby, before) : before
    // A party that waits must still be one that may.
    if (after !== before && stayOf(after) !== undefined) await checkParty(ctx, after, draft)
    return after === before ? decision : borneByProposal(ctx, decision, after, draft.at)
  })
  const player = memberOf(lobby, playerId)
  if (player === undefined) throw new Error(`${playerId} has left ${lobby.id} by a change of its state`)
  return { lobby, player }
}

/** A match that is proposed to the lobby and cannot bear the change is called off without fault: the lobby searches on by its new state. */
async function borneByProposal(
  ctx: Context,
  decision: Decision<LobbyEvent>,
  after: Lobby,
  at: number,
): Promise<Decision<LobbyEvent>> {
  const held = proposalOf(after)
  const match = held && (await ctx.storage.get('match', held.matchId))
  if (!decision.ok || match === undefined) return decision
  const queue = await requireQueue(ctx, match.projectId, match.queueId)
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  if (
    stillFits(
      queue,
      match,
      lobbies.map((lobby) => (lobby.id === after.id ? after : lobby)),
    )
  )
    return decision
  // The party itself may wait in the queue: it has just been judged.
  const given = { isSilent: false, fitsQueue: true, ticketId: ctx.ids.next('tkt'), at }
  return accept(...decision.events, ...leaveProposal(after, match.id, given))
}
