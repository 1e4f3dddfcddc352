import { gateFeature } from '../../billing/limits'
import { checkFreeForm } from '../../catalog/free-form'
import { checkName } from '../../catalog/names'
import { checkPlayerId } from '../../catalog/player-id'
import { Draft } from '../../commit/draft'
import { createLobby as putLobby } from '../../commit/rows/lobby'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { ByClient, InProject } from '../../context/inputs'
import { accountOf, lobbyNow, requireProject, requireQueue } from '../../context/require'
import { requireRoomForLobby } from '../../context/require-fewer'
import { orThrow, ServiceError } from '../../errors/service-error'
import { withinSize } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { type LobbyDesign, newLobby } from '../../lobby/new-lobby'
import { writtenState } from '../../lobby/trusted-state'
import { playersWithin, takesLobbies } from '../../queue/decide'
import { trustedFieldsOf } from '../../queue/queue'
import { drawInvite } from './invite'

export type CreateLobbyInput = LobbyDesign & ByClient

/**
 * Makes a lobby that waits, its caller the host (specification, "Lobbies", rule 1).
 * Throws PLAN_LIMIT_EXCEEDED, QUEUE_NOT_FOUND, PLAYER_STATE_FORBIDDEN, QUEUE_DISABLED, VALIDATION_FAILED, INVALID_PLAYER_ID,
 * INVITE_CODES_EXHAUSTED, PAYLOAD_TOO_LARGE, UNAVAILABLE where the project holds as many live lobbies as it may.
 */
export async function createLobby(ctx: Context, input: CreateLobbyInput, call?: CallOptions): Promise<Lobby> {
  let isAgain = false
  const make = async () => {
    checkPlayerId(input.playerId)
    const draft = new Draft(ctx.clock.now())
    const answer = await makeLobby(ctx, draft, input, { looksCodeUp: isAgain })
    isAgain = true
    return { draft, answer, about: { id: answer.id } }
  }
  const lobby = await transact(ctx, call, make, ({ id }) => lobbyNow(ctx, input, id))
  await ctx.presence.touchMember(lobby, input.playerId, ctx.clock.now())
  return lobby
}

/**
 * Puts a new lobby into the draft, everything judged that a lobby must keep to. Codes are many and seldom meet, and no two lobbies can
 * hold one: whoever tries again after losing need not look up the first that is drawn. Throws what `createLobby` throws.
 */
export async function makeLobby(
  ctx: Context,
  draft: Draft,
  input: CreateLobbyInput,
  { looksCodeUp = true, ...given }: { readonly looksCodeUp?: boolean; readonly quickJoinKey?: string } = {},
): Promise<Lobby> {
  checkName(input.name)
  checkFreeForm({ settings: input.settings, state: input.state })
  const { project, account } = await mayMakeLobbies(ctx, input)
  const queue = await requireQueue(ctx, input.projectId, input.queueId)
  const { state, client, ...design } = input
  // Which fields are trusted the queue says, so the right to write them is judged once that is found.
  const [host] = orThrow(writtenState(undefined, { state, merge: true }, { trusted: trustedFieldsOf(queue), client }))
  orThrow(takesLobbies(queue))
  await requireRoomForLobby(ctx, input.projectId)
  const inviteCode = await drawInvite(ctx, queue, looksCodeUp)
  draft.check('project', project).check('account', account).check('queue', queue)
  const maxPlayers = input.maxPlayers ?? queue.maxPlayers
  orThrow(playersWithin(queue, maxPlayers))
  const id = ctx.ids.next('lob')
  const known = { id, accountId: account.id, maxPlayers, inviteCode, proven: host?.proven, at: draft.at }
  const made = newLobby({ ...design, state: host?.state }, { ...known, ...given })
  orThrow(withinSize(made))
  return putLobby(draft, made, queue)
}

/** The project and its account, whose plan has lobbies. Throws PLAN_LIMIT_EXCEEDED. */
export async function mayMakeLobbies(ctx: Context, { projectId }: InProject) {
  const project = await requireProject(ctx, projectId)
  const account = await accountOf(ctx, project)
  const gate = gateFeature(account, 'lobbies_enabled')
  if (!gate.ok) throw ServiceError.of(gate.rejected)
  return { project, account }
}
