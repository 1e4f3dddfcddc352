import { changeLobby } from '../../commit/change-lobby'
import type { Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { ServiceError } from '../../errors/service-error'
import { changePlayerState } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolve } from '../../lobby/evolve'
import type { Lobby, LobbyPlayer } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { Decision } from '../../shared/decision'
import type { JsonObject } from '../../shared/json'
import { checkParty } from './check-party'
import { checkFreeForm } from './free-form'

export interface UpdatePlayerInput extends OnLobby {
  readonly targetPlayerId: string
  readonly state: JsonObject
  /** Shallow merge, the default: supplied keys replace, null is a value. False replaces the state wholesale. */
  readonly merge?: boolean | undefined
}

/**
 * Changes a player's state: one's own, or any as the host (specification, "Lobbies", rule 5). In the queue the ticket keeps its
 * entry time, and a state that makes the party unmatchable is refused.
 * Throws PLAYER_NOT_IN_LOBBY (of kind `absent` when addressed), PLAYER_STATE_FORBIDDEN, PARTY_CANNOT_MATCH, VALIDATION_FAILED, PAYLOAD_TOO_LARGE.
 */
export async function updatePlayer(
  ctx: Context,
  input: UpdatePlayerInput,
): Promise<{ lobby: Lobby; player: LobbyPlayer }> {
  checkFreeForm({ state: input.state })
  const lobby = await changeLobby(ctx, input, async (before, plan) => {
    const { playerId: by, targetPlayerId: playerId, state } = input
    if (memberOf(before, by) !== undefined && memberOf(before, playerId) === undefined)
      throw noSuchPlayer(before, playerId)
    const decision = checkMergedState(changePlayerState(before, { playerId, by, state, merge: input.merge ?? true }))
    if (!decision.ok || decision.events.length === 0 || before.status !== 'in_queue') return decision
    return (await checkParty(ctx, decision.events.reduce(evolve, before), plan)) ?? decision
  })
  const player = memberOf(lobby, input.targetPlayerId)
  if (player === undefined) throw noSuchPlayer(lobby, input.targetPlayerId)
  return { lobby, player }
}

/** The addressed player is missing, which is no refusal of the caller's right. */
function noSuchPlayer(lobby: Lobby, playerId: string): ServiceError {
  return new ServiceError(
    'PLAYER_NOT_IN_LOBBY',
    `there is no player ${JSON.stringify(playerId)} in ${lobby.id}`,
    {},
    'absent',
  )
}

/** A merged state counts as a whole towards the limits of free-form objects (contract §1). */
export function checkMergedState(decision: Decision<LobbyEvent>): Decision<LobbyEvent> {
  for (const event of decision.ok ? decision.events : []) {
    if (event.type === 'player_state_changed') checkFreeForm({ state: event.state })
  }
  return decision
}
