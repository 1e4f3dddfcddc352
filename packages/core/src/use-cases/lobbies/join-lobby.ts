import { checkFreeForm } from '../../catalog/free-form'
import { checkPlayerId } from '../../catalog/player-id'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import { replayed } from '../../commit/idempotency'
import { ofLobby } from '../../commit/of-lobby'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { isNotFound, ServiceError } from '../../errors/service-error'
import { decideJoinLobby as decideJoin, noSuchCode } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import type { ByClient, OnLobby } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import { uniqueKey } from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { lobbyNow } from '../../reads/require'
import type { JsonObject } from '../../shared/json'
import { stateSource } from './state-source'

export interface JoinLobbyInput extends OnLobby, ByClient {
  /** State of the player: at most 16 KiB of JSON and 16 levels. Default: `{}`. */
  readonly state?: JsonObject | undefined
}

export function joinLobby(ctx: Service, input: JoinLobbyInput, call?: CallOptions): Promise<Lobby> {
  return join(ctx, input, 'id', call)
}

export interface JoinByCodeInput extends InProject, ByClient {
  /** Player who joins. */
  readonly playerId: string
  /** Invite code, in any spelling. */
  readonly inviteCode: string
  /** State of the player: at most 16 KiB of JSON and 16 levels. Default: `{}`. */
  readonly state?: JsonObject | undefined
}

export async function joinByCode(ctx: Service, input: JoinByCodeInput, call?: CallOptions): Promise<Lobby> {
  const { projectId, playerId, state, client, inviteCode } = input
  const key = uniqueKey.inviteCode(projectId, inviteCode)
  const known = await unavailableInsteadOf(() => replayed(ctx, call, ({ id }) => lobbyNow(ctx, input, id)))
  if (known !== undefined) return known.answer
  const lobby = await unavailableInsteadOf(() => ctx.storage.find('lobby', key))
  if (lobby === undefined) throw ServiceError.of(noSuchCode().rejected)
  try {
    return await join(ctx, { projectId, playerId, state, client, lobbyId: lobby.id }, { code: inviteCode }, call)
  } catch (error) {
    // The lobby was deleted after its code was looked up. The error contains no lobby id, because the caller knows only a code.
    throw isNotFound(error) ? ServiceError.of(noSuchCode().rejected) : error
  }
}

function join(ctx: Service, input: JoinLobbyInput, by: 'id' | { code: string }, call?: CallOptions): Promise<Lobby> {
  checkPlayerId(input.playerId)
  checkFreeForm({ state: input.state })
  const { playerId } = input
  const state = input.state === undefined ? {} : { state: input.state }
  const decide = async (lobby: Lobby, draft: Draft) => {
    const { into } = await enter(ctx, draft, input)
    into(lobby.queueId)
    const source = await stateSource(ctx, lobby, input, draft)
    const byClient = input.client !== undefined
    return decideJoin(lobby, { playerId, ...state, by, source, byClient, at: draft.at })
  }
  return change(ctx, ofLobby, input, decide, { call })
}
