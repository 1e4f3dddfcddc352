import { MAX_LOBBY_BANS } from '../catalog/limits'
import { playerIdFault } from '../catalog/player-id'
import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import type { HostLeaveBehavior } from '../queue/queue'
import { departFromLobby, hostOrBackend } from './decide'
import type { LobbyEvent } from './events'
import type { Lobby } from './lobby'
import { bannedFrom, memberOf } from './members'

/**
 * Request to ban a player, or to lift a ban. `by` is the acting player, who must be the host, unless the project's backend makes the call.
 */
export interface BanCommand {
  readonly playerId: string
  readonly by: string | undefined
  readonly backend: boolean
}

/**
 * Decides whether a player may be banned from any lobby. Rejects with VALIDATION_FAILED when the acting player bans themselves, or when no
 * player can have the id.
 */
export function mayBeBanned({ playerId, by }: Pick<BanCommand, 'playerId' | 'by'>): Decision<never> {
  const fault = playerIdFault(playerId)
  const message = fault ?? (playerId === by ? 'must be another player: players cannot ban themselves' : undefined)
  return message === undefined ? accept() : rejectInvalid([{ path: 'targetPlayerId', message }])
}

/** Bans a player; a member is also kicked. A repeated ban changes nothing. Rejects with NOT_HOST, BAN_LIMIT. */
export function decideBanPlayer(
  lobby: Lobby,
  command: BanCommand & { readonly hostLeaveBehavior: HostLeaveBehavior },
): Decision<LobbyEvent> {
  const allowed = hostOrBackend(lobby, command)
  if (!allowed.ok) return allowed
  const { playerId, hostLeaveBehavior } = command
  const banned = bannedFrom(lobby)
  if (banned.includes(playerId)) return accept()
  if (banned.length >= MAX_LOBBY_BANS) {
    return reject('BAN_LIMIT', `${lobby.id} already has ${MAX_LOBBY_BANS} bans, the maximum; lift a ban first`)
  }
  const added: LobbyEvent = { type: 'lobby_ban_added', playerId }
  if (memberOf(lobby, playerId) === undefined) return accept(added)
  const departed = departFromLobby(lobby, { playerId, reason: 'kicked', hostLeaveBehavior })
  return departed.ok ? accept(added, ...departed.events) : departed
}

/** Lifts the ban of a player. Rejects with NOT_HOST, BAN_NOT_FOUND. */
export function decideUnbanPlayer(lobby: Lobby, command: BanCommand): Decision<LobbyEvent> {
  const allowed = hostOrBackend(lobby, command)
  if (!allowed.ok) return allowed
  const { playerId } = command
  return bannedFrom(lobby).includes(playerId)
    ? accept({ type: 'lobby_ban_removed', playerId })
    : reject('BAN_NOT_FOUND', `${lobby.id} has no ban of player ${JSON.stringify(playerId)}`)
}

/** Removes the ban of a player whose data are erased. */
export const forgetBan = (lobby: Lobby, playerId: string): Decision<LobbyEvent> =>
  bannedFrom(lobby).includes(playerId) ? accept({ type: 'lobby_ban_removed', playerId }) : accept()
