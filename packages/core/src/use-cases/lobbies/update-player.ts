import { checkFreeForm } from '../../catalog/free-form'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { changePlayerState, noSuchPlayer, notMember } from '../../lobby/decide'
import { evolveLobby } from '../../lobby/evolve'
import type { Lobby, LobbyPlayer } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { ByClient, OnLobby } from '../../lobby/on-lobby'
import { stayOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import type { JsonObject } from '../../shared/json'
import { borneByProposal } from './borne-by-proposal'
import { checkParty } from './check-party'
import { stateSource } from './state-source'

export interface UpdatePlayerInput extends OnLobby, ByClient {
  readonly targetPlayerId: string
  readonly state: JsonObject
  /** Shallow merge, the default: supplied keys replace, null is a value. False replaces the state wholesale. */
  readonly merge?: boolean | undefined
}

/** A player as a change has left them. */
export interface ChangedPlayer {
  readonly player: LobbyPlayer
  readonly isHost: boolean
  /** The lobby as the change has left it; not in the answer to a repeated call, for which only the player is kept. */
  readonly lobby?: Lobby
}

export async function updatePlayer(ctx: Service, input: UpdatePlayerInput, call?: CallOptions): Promise<ChangedPlayer> {
  const { playerId: by, targetPlayerId: playerId, state, merge = true } = input
  checkFreeForm({ state })
  const decide = async (before: Lobby, draft: Draft) => {
    const source = await stateSource(ctx, before, input, draft)
    const decision = changePlayerState(before, { playerId, by, state, merge, source })
    const after = decision.ok ? decision.events.reduce(evolveLobby, before) : before
    // A party that waits must still be one that may.
    if (after !== before && stayOf(after) !== undefined) await checkParty(ctx, after, draft)
    return after === before ? decision : borneByProposal(ctx, decision, after, draft.at)
  }
  const answer = (lobby: Lobby): ChangedPlayer => {
    const player = memberOf(lobby, playerId)
    // In a repeated call the player may have left since.
    if (player === undefined)
      throw ServiceError.of((by === playerId ? notMember : noSuchPlayer)(lobby, playerId).rejected)
    return { player, isHost: playerId === lobby.hostPlayerId, lobby }
  }
  // States change often, and a lobby is large beside one player's.
  const recorded = ({ lobby: _, ...rest }: ChangedPlayer): ChangedPlayer => rest
  return change(ctx, ofLobby, input, decide, { call, answer, recorded })
}
