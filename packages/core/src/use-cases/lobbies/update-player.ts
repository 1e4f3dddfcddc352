import { checkFreeForm } from '../../catalog/free-form'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { asSeenBy, covered, revealed } from '../../lobby/as-seen'
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
  /** Player of the lobby whose state changes. */
  readonly targetPlayerId: string
  /** State, or the part of it that changes: at most 16 KiB of JSON and 16 levels. */
  readonly state: JsonObject
  /**
   * Whether to merge the state at its top level: each key in the call replaces the stored value, and null is a value too. False replaces
   * the whole state. Default: true.
   */
  readonly merge?: boolean | undefined
}

/** Player after a change of the player's state. */
export interface ChangedPlayer {
  /** The player after the change. */
  readonly player: LobbyPlayer
  /** Whether the player is the host. */
  readonly isHost: boolean
  /** Lobby after the change, as the caller may see it. Absent in the answer to a repeated call, because only the player is stored for it. */
  readonly lobby?: Lobby
}

export async function updatePlayer(ctx: Service, input: UpdatePlayerInput, call?: CallOptions): Promise<ChangedPlayer> {
  const { playerId: by, targetPlayerId: playerId, state, merge = true } = input
  checkFreeForm({ state })
  const decide = async (before: Lobby, draft: Draft) => {
    const source = await stateSource(ctx, before, input, draft)
    const decision = changePlayerState(before, { playerId, by, state, merge, source })
    const after = decision.ok ? decision.events.reduce(evolveLobby, before) : before
    // The new state of a player must not break the rules for a waiting party.
    if (after !== before && stayOf(after) !== undefined) await checkParty(ctx, after, draft)
    return after === before ? decision : borneByProposal(ctx, decision, after, draft.at)
  }
  const answer = (lobby: Lobby): ChangedPlayer => {
    const player = memberOf(lobby, playerId)
    // The player may have left before a repeated call.
    if (player === undefined)
      throw ServiceError.of((by === playerId ? notMember : noSuchPlayer)(lobby, playerId).rejected)
    const backend = input.client === undefined
    const shown = asSeenBy(lobby, { playerId: by, backend })
    return {
      player: backend || by === playerId ? revealed(player) : covered(player),
      isHost: playerId === lobby.hostPlayerId,
      lobby: shown,
    }
  }
  // Only the player is stored, because states change often and a lobby is large.
  const recorded = ({ lobby: _, ...rest }: ChangedPlayer): ChangedPlayer => rest
  return change(ctx, ofLobby, input, decide, { call, answer, recorded })
}
