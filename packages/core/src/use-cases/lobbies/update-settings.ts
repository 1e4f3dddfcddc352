import { changeLobby } from '../../commit/change-lobby'
import type { Plan } from '../../commit/draft'
import type { Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { requireQueue } from '../../context/require'
import { ServiceError, validationFailed } from '../../errors/service-error'
import { changeSettings } from '../../lobby/decide'
import type { LobbyChanges } from '../../lobby/events'
import type { Lobby } from '../../lobby/lobby'
import { withinQueue } from './create-lobby'
import { checkFreeForm } from './free-form'
import { drawFreeInviteCode } from './invite'

export interface UpdateSettingsInput extends OnLobby {
  readonly changes: Omit<LobbyChanges, 'inviteCode'>
}

/**
 * Replaces the supplied fields (specification, "Lobbies", rule 2); the host's right, while `waiting`.
 * Throws NOT_HOST, INVALID_LOBBY_STATE, QUEUE_NOT_FOUND, QUEUE_DISABLED, VALIDATION_FAILED, PAYLOAD_TOO_LARGE.
 */
export function updateSettings(ctx: Context, input: UpdateSettingsInput): Promise<Lobby> {
  checkFreeForm({ settings: input.changes.settings })
  return changeLobby(ctx, input, async (lobby, plan) => {
    const bare = changeSettings(lobby, { by: input.playerId, changes: input.changes })
    const forbidden = !bare.ok && bare.rejected.code === 'NOT_HOST'
    // The objects that the body names are judged after the right and before the state (contract §1).
    if (!forbidden && input.changes.queueId !== undefined)
      await requireQueue(ctx, lobby.projectId, input.changes.queueId)
    if (!bare.ok || bare.events.length === 0) return bare
    const changes = await judged(ctx, lobby, input.changes, plan)
    return changeSettings(lobby, { by: input.playerId, changes })
  })
}

async function judged(ctx: Context, lobby: Lobby, changes: LobbyChanges, plan: Plan): Promise<LobbyChanges> {
  const moves = changes.queueId !== undefined && changes.queueId !== lobby.queueId
  const resized = changes.maxPlayers !== undefined
  const queue = await requireQueue(ctx, lobby.projectId, changes.queueId ?? lobby.queueId)
  if (moves && !queue.enabled) throw new ServiceError('QUEUE_DISABLED', `queue ${queue.queueId} is disabled`)
  // Lowering a queue's max_players binds existing lobbies at their next settings change (contract §5).
  const maxPlayers = withinQueue(changes.maxPlayers ?? lobby.maxPlayers, queue)
  if (maxPlayers < lobby.players.length) {
    const message = `must not be below the ${lobby.players.length} players present`
    throw validationFailed([{ path: 'maxPlayers', message }])
  }
  plan.check('queue', queue)
  if (!moves) return resized ? { ...changes, maxPlayers } : changes
  return { ...changes, inviteCode: await drawFreeInviteCode(ctx, queue) }
}
