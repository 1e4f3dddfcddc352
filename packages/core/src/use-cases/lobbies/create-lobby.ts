import { gateFeature } from '../../billing/limits'
import { checkFreeForm } from '../../catalog/free-form'
import { checkName } from '../../catalog/names'
import { checkPlayerId } from '../../catalog/player-id'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import { putLobby } from '../../commit/rows/lobby'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import { asSeenBy } from '../../lobby/as-seen'
import { withinSize } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { type LobbyDesign, newLobby } from '../../lobby/new-lobby'
import type { ByClient } from '../../lobby/on-lobby'
import { writtenState } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import { playersWithin, takesLobbies } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { type LobbyAnswer, withLobbyWarnings } from '../../reads/lobby-warnings'
import { accountOf, lobbyNow, requireQueue } from '../../reads/require'
import { drawInvite } from './invite'
import { requireRoomForLobby } from './require-room-for-lobby'

/** New lobby with its first player, who is the host. */
export type CreateLobbyInput = LobbyDesign & ByClient

/**
 * Creates a waiting lobby with its caller as the host (specification, "Lobbies", rule 1). Throws PLAYER_BANNED, PLAN_LIMIT_EXCEEDED,
 * QUEUE_NOT_FOUND, PLAYER_STATE_FORBIDDEN, QUEUE_DISABLED, VALIDATION_FAILED, INVALID_PLAYER_ID, INVITE_CODES_EXHAUSTED, PAYLOAD_TOO_LARGE. Throws
 * UNAVAILABLE when the project has its maximum number of live lobbies.
 */
export async function createLobby(ctx: Service, input: CreateLobbyInput, call?: CallOptions): Promise<LobbyAnswer> {
  let isAgain = false
  const make = async () => {
    checkPlayerId(input.playerId)
    const draft = new Draft(ctx.clock.now())
    const made = await makeLobby(ctx, draft, input, { looksCodeUp: isAgain })
    const answer = asSeenBy(made, { playerId: input.playerId, backend: false })
    isAgain = true
    return { draft, answer, about: { id: answer.id } }
  }
  const lobby = await transact(ctx, call, make, ({ id }) => lobbyNow(ctx, input, id))
  await ctx.node.presence.touchMember(lobby, input.playerId, ctx.clock.now())
  return withLobbyWarnings(ctx, lobby)
}

/**
 * Adds a new lobby to the draft, after all checks of a lobby. The first attempt draws an invite code without looking it up, because drawn
 * codes seldom collide and the storage refuses a code in use. Only a second attempt looks the code up. Throws the errors of `createLobby`.
 */
export async function makeLobby(
  ctx: Service,
  draft: Draft,
  input: CreateLobbyInput,
  { looksCodeUp = true, ...given }: { readonly looksCodeUp?: boolean; readonly quickJoinKey?: string } = {},
): Promise<Lobby> {
  checkName(input.name)
  checkFreeForm({ settings: input.settings, state: input.state })
  const { project, into } = await enter(ctx, draft, input)
  const account = await mayMakeLobbies(ctx, project)
  const queue = await requireQueue(ctx, input.projectId, input.queueId)
  into(queue.queueId)
  const { state, client, ...design } = input
  // The queue defines the trusted fields, so the right to write them is checked after the queue is read.
  const [host] = orThrow(writtenState(undefined, { state, merge: true }, { ...fieldRightsOf(queue), client }))
  orThrow(takesLobbies(queue))
  await requireRoomForLobby(ctx, input.projectId)
  const inviteCode = await drawInvite(ctx, queue, looksCodeUp)
  draft.check('account', account).check('queue', queue)
  const maxPlayers = input.maxPlayers ?? queue.maxPlayers
  orThrow(playersWithin(queue, maxPlayers))
  const known = {
    id: ctx.ids.next('lob'),
    accountId: account.id,
    maxPlayers,
    inviteCode,
    proven: host?.proven,
    hidden: host?.hidden,
    byClient: client !== undefined,
  }
  const made = newLobby({ ...design, state: host?.state }, { ...known, ...given, at: draft.at })
  orThrow(withinSize(made))
  return putLobby(draft, made, queue)
}

/** Returns the project's account, if the account's plan includes lobbies. Throws PLAN_LIMIT_EXCEEDED. */
export async function mayMakeLobbies(ctx: Ports, project: Project) {
  const account = await accountOf(ctx, project)
  const gate = gateFeature(account, 'lobbies_enabled')
  if (!gate.ok) throw ServiceError.of(gate.rejected)
  return account
}
