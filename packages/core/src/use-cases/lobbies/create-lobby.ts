import { gateFeature } from '../../billing/limits'
import { LOBBY_PLAYERS } from '../../catalog/limits'
import type { Region } from '../../catalog/regions'
import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { accountOf, requireProject, requireQueue } from '../../context/require'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import type { Queue } from '../../queue/queue'
import type { JsonObject } from '../../shared/json'
import { checkFreeForm, checkLobbySize } from './free-form'
import { drawFreeInviteCode } from './invite'

export interface CreateLobbyInput extends InProject {
  readonly playerId: string
  readonly queueId: string
  readonly name?: string | undefined
  readonly region?: Region | undefined
  readonly isPrivate?: boolean | undefined
  readonly maxPlayers?: number | undefined
  readonly settings?: JsonObject | undefined
  /** The host's player state. */
  readonly state?: JsonObject | undefined
}

/**
 * Makes a lobby that waits, its caller the host (specification, "Lobbies", rule 1).
 * Throws PLAN_LIMIT_EXCEEDED, QUEUE_NOT_FOUND, QUEUE_DISABLED, VALIDATION_FAILED, INVITE_CODES_EXHAUSTED, PAYLOAD_TOO_LARGE.
 */
export async function createLobby(ctx: Context, input: CreateLobbyInput, call?: CallOptions): Promise<Lobby> {
  const lobby = await transact(ctx, call, async () => {
    checkFreeForm({ settings: input.settings, state: input.state })
    const plan = new Plan(ctx.clock.now())
    const project = await requireProject(ctx, input.projectId)
    const account = await accountOf(ctx, project)
    const gate = gateFeature(account, 'lobbies_enabled')
    if (!gate.ok) throw ServiceError.of(gate.rejected)
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    if (!queue.enabled)
      throw new ServiceError('QUEUE_DISABLED', `queue ${queue.queueId} takes no lobbies while it is disabled`)
    const inviteCode = await drawFreeInviteCode(ctx, queue)
    plan.check('project', project).check('account', account).check('queue', queue)
    const answer = plan.createLobby(checkLobbySize(newLobby(ctx, input, queue, account.id, inviteCode, plan.at)))
    return { plan, answer }
  })
  await ctx.presence.touch(lobby.id, input.playerId, ctx.clock.now())
  return lobby
}

function newLobby(
  ctx: Context,
  input: CreateLobbyInput,
  queue: Queue,
  accountId: string,
  inviteCode: string | null,
  at: number,
): Lobby {
  return {
    id: ctx.ids.next('lob'),
    version: 1,
    projectId: input.projectId,
    accountId,
    queueId: queue.queueId,
    status: 'waiting',
    hostPlayerId: input.playerId,
    isPrivate: input.isPrivate ?? false,
    maxPlayers: withinQueue(input.maxPlayers ?? queue.maxPlayers, queue),
    players: [{ playerId: input.playerId, joinedAt: at, state: input.state ?? {} }],
    name: input.name ?? null,
    region: input.region ?? null,
    inviteCode,
    settings: input.settings ?? {},
    server: null,
    matchId: null,
    ticket: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** `maxPlayers` where the queue allows it; throws VALIDATION_FAILED. */
export function withinQueue(maxPlayers: number, queue: Queue): number {
  if (Number.isInteger(maxPlayers) && maxPlayers >= LOBBY_PLAYERS.min && maxPlayers <= queue.maxPlayers)
    return maxPlayers
  const message = `must be from ${LOBBY_PLAYERS.min} to ${queue.maxPlayers}, the most that queue ${queue.queueId} allows`
  throw validationFailed([{ path: 'maxPlayers', message }])
}
