import { changeLobby } from '../../commit/change-lobby'
import { replayed } from '../../commit/idempotency'
import { unavailableInsteadOf } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { InProject, OnLobby } from '../../context/inputs'
import { ServiceError } from '../../errors/service-error'
import { joinLobby as decideJoin } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { uniqueKey } from '../../ports/storage/index'
import { normaliseInviteCode } from '../../queue/invite-code'
import type { JsonObject } from '../../shared/json'
import { checkFreeForm } from './free-form'
import { checkMergedState } from './update-player'

export interface JoinLobbyInput extends OnLobby {
  readonly state?: JsonObject | undefined
}

/** Joins a public lobby by id. Throws LOBBY_NOT_FOUND, LOBBY_NOT_ACCEPTING, LOBBY_FULL, VALIDATION_FAILED, PAYLOAD_TOO_LARGE. */
export function joinLobby(ctx: Context, input: JoinLobbyInput, call?: CallOptions): Promise<Lobby> {
  return join(ctx, input, 'id', call)
}

export interface JoinByCodeInput extends InProject {
  readonly playerId: string
  readonly inviteCode: string
  readonly state?: JsonObject | undefined
}

/** Joins by invite code, public or private; codes are matched case-insensitively. Throws INVALID_INVITE_CODE and what `joinLobby` throws. */
export async function joinByCode(ctx: Context, input: JoinByCodeInput, call?: CallOptions): Promise<Lobby> {
  const { projectId, playerId, state, inviteCode } = input
  const key = uniqueKey.inviteCode(projectId, inviteCode)
  const known = await unavailableInsteadOf(() => replayed<Lobby>(ctx, call))
  if (known !== undefined) return known.answer
  const lobby = await unavailableInsteadOf(() => ctx.storage.find('lobby', key))
  if (lobby === undefined) throw noSuchCode()
  try {
    return await join(ctx, { projectId, playerId, state, lobbyId: lobby.id }, { code: inviteCode }, call)
  } catch (error) {
    // Deleted since the code was looked up: whoever knows a code knows no lobby id to be told about.
    throw error instanceof ServiceError && error.code === 'LOBBY_NOT_FOUND' ? noSuchCode() : error
  }
}

const noSuchCode = () => new ServiceError('INVALID_INVITE_CODE', 'no lobby has this invite code now')

function join(ctx: Context, input: JoinLobbyInput, by: 'id' | { code: string }, call?: CallOptions): Promise<Lobby> {
  checkFreeForm({ state: input.state })
  return changeLobby(
    ctx,
    input,
    (lobby, plan) => {
      // The lobby may have moved to another queue, and been given another code, since this one was looked up.
      if (by !== 'id' && !hasCode(lobby, by.code)) throw noSuchCode()
      const { playerId } = input
      const state = input.state === undefined ? {} : { state: input.state }
      return checkMergedState(decideJoin(lobby, { playerId, ...state, by: by === 'id' ? 'id' : 'code', at: plan.at }))
    },
    call,
  )
}

const hasCode = ({ inviteCode }: Lobby, code: string): boolean =>
  inviteCode !== null && normaliseInviteCode(inviteCode) === normaliseInviteCode(code)
