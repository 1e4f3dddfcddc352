import { checkFreeForm } from '../../catalog/free-form'
import { checkName } from '../../catalog/names'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow, refuseUnknown } from '../../errors/service-error'
import { changeSettings, holdsPlayers, hostOnly } from '../../lobby/decide'
import type { LobbyChanges, LobbyEvent } from '../../lobby/events'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobby } from '../../lobby/on-lobby'
import { settleStates } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { playersWithin, takesLobbies } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { type LobbyAnswer, withLobbyWarnings } from '../../reads/lobby-warnings'
import { requireQueue } from '../../reads/require'
import type { NamesOf } from '../../shared/known-names'
import { drawInvite } from './invite'

export interface UpdateSettingsInput extends OnLobby {
  /** Changed fields; an absent field keeps its value. */
  readonly changes: Omit<LobbyChanges, 'inviteCode'>
}

const FIELDS: NamesOf<UpdateSettingsInput['changes']> = {
  name: true,
  queueId: true,
  region: true,
  isPrivate: true,
  maxPlayers: true,
  settings: true,
}

export async function updateSettings(
  ctx: Service,
  input: UpdateSettingsInput,
  call?: CallOptions,
): Promise<LobbyAnswer> {
  const { playerId: by, changes } = input
  refuseUnknown(changes, Object.keys(FIELDS))
  checkName(changes.name)
  checkFreeForm({ settings: changes.settings })
  const decide = async (lobby: Lobby, draft: Draft) => {
    orThrow(hostOnly(lobby, by))
    // A queue that the body names is checked after the caller's right and before the state of the lobby (docs/http-api.md §1).
    if (changes.queueId !== undefined) await requireQueue(ctx, lobby.projectId, changes.queueId)
    const bare = changeSettings(lobby, { by, changes })
    if (!bare.ok || bare.events.length === 0) return bare
    const moved = changeSettings(lobby, { by, changes: await judged(ctx, lobby, changes, draft) })
    return moved.ok ? accept(...moved.events, ...(await droppedByMoving(ctx, lobby, changes))) : moved
  }
  return withLobbyWarnings(ctx, await change(ctx, ofLobby, input, decide, { call }))
}

/**
 * Returns the events that remove unproven values of fields that are trusted in the new queue. The commit checks the version of that queue.
 */
async function droppedByMoving(ctx: Ports, lobby: Lobby, { queueId }: LobbyChanges): Promise<LobbyEvent[]> {
  if (queueId === undefined || queueId === lobby.queueId) return []
  return settleStates(lobby, fieldRightsOf(await requireQueue(ctx, lobby.projectId, queueId)))
}

/** Checks only the changed fields. When the queue's `maxPlayers` was lowered, the name of a larger lobby can still change. */
async function judged(ctx: Ports, lobby: Lobby, changes: LobbyChanges, draft: Draft): Promise<LobbyChanges> {
  const moves = changes.queueId !== undefined && changes.queueId !== lobby.queueId
  if (!moves && changes.maxPlayers === undefined) return changes
  const queue = await requireQueue(ctx, lobby.projectId, changes.queueId ?? lobby.queueId)
  if (moves) orThrow(takesLobbies(queue))
  const maxPlayers = changes.maxPlayers ?? lobby.maxPlayers
  orThrow(playersWithin(queue, maxPlayers))
  orThrow(holdsPlayers(lobby, maxPlayers))
  draft.check('queue', queue)
  return moves ? { ...changes, inviteCode: await drawInvite(ctx, queue, true) } : changes
}
