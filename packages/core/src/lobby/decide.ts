import type { HostLeaveBehavior } from '../queue/queue'
import { accept, type Decision, reject } from '../shared/decision'
import { type JsonObject, jsonEqual } from '../shared/json'
import type { DepartureReason, LobbyChanges, LobbyEvent, QueueLeftReason } from './events'
import { canMove } from './evolve'
import type { Lobby } from './lobby'
import { isHost, memberOf, successorOf } from './members'

type LobbyDecision = Decision<LobbyEvent>

const notHost = (lobby: Lobby, playerId: string | undefined) =>
  reject('NOT_HOST', `player ${JSON.stringify(playerId ?? null)} is not the host of ${lobby.id}`)

const wrongState = (lobby: Lobby, doing: string, allowed: string) =>
  reject('INVALID_LOBBY_STATE', `${doing} is possible while the lobby is ${allowed}; ${lobby.id} is ${lobby.status}`, {
    status: lobby.status,
  })

const notMember = (lobby: Lobby, playerId: string) =>
  reject('PLAYER_NOT_IN_LOBBY', `player ${JSON.stringify(playerId)} is not in ${lobby.id}`)

/** A newcomer by id or by code, or a member again (contract §6). */
export function joinLobby(
  lobby: Lobby,
  command: { playerId: string; state?: JsonObject; by: 'id' | 'code'; at: number },
): LobbyDecision {
  const member = memberOf(lobby, command.playerId)
  if (member !== undefined && lobby.status === 'waiting') {
    if (command.state === undefined) return accept()
    return stateChange(lobby, member.playerId, member.state, { ...member.state, ...command.state })
  }
  if (command.by === 'id' && lobby.isPrivate) {
    return reject('LOBBY_NOT_ACCEPTING', `${lobby.id} is private; join it with its invite code`)
  }
  if (lobby.status !== 'waiting') {
    return reject('LOBBY_NOT_ACCEPTING', `${lobby.id} is ${lobby.status}; a lobby takes players while it is waiting`, {
      status: lobby.status,
    })
  }
  if (lobby.players.length >= lobby.maxPlayers) {
    return reject('LOBBY_FULL', `all ${lobby.maxPlayers} places of ${lobby.id} are taken`)
  }
  return accept({
    type: 'player_joined',
    player: { playerId: command.playerId, joinedAt: command.at, state: command.state ?? {} },
  })
}

/** A player goes, by leaving, being kicked or falling silent: the same departure (contract §6). */
export function departFromLobby(
  lobby: Lobby,
  command: { playerId: string; reason: DepartureReason; hostLeaveBehavior: HostLeaveBehavior },
): LobbyDecision {
  if (memberOf(lobby, command.playerId) === undefined) return notMember(lobby, command.playerId)
  const left: LobbyEvent = { type: 'player_left', playerId: command.playerId, reason: command.reason }
  const successor = successorOf(lobby, command.playerId)
  if (successor === undefined) return accept<LobbyEvent>(left, { type: 'lobby_deleted', reason: 'empty' })
  const hostLeft = isHost(lobby, command.playerId)
  if (hostLeft && command.hostLeaveBehavior === 'delete') {
    return accept<LobbyEvent>(left, { type: 'lobby_deleted', reason: 'host_left' })
  }
  const events: LobbyEvent[] = [left]
  if (hostLeft) events.push({ type: 'host_changed', playerId: successor.playerId })
  if (lobby.status === 'in_queue') events.push({ type: 'queue_left', reason: 'player_left' })
  return accept(...events)
}

/** Self leaves; the host kicks another. */
export function removePlayer(
  lobby: Lobby,
  command: { playerId: string; by: string; hostLeaveBehavior: HostLeaveBehavior },
): LobbyDecision {
  const self = command.playerId === command.by
  if (!self && !isHost(lobby, command.by)) return notHost(lobby, command.by)
  return departFromLobby(lobby, { ...command, reason: self ? 'left' : 'kicked' })
}

/** `changes` hold what the caller supplied, already judged against the queue. */
export function changeSettings(lobby: Lobby, command: { by: string; changes: LobbyChanges }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (lobby.status !== 'waiting') return wrongState(lobby, 'changing settings', 'waiting')
  const changed = Object.entries(command.changes).filter(
    ([field, value]) => !jsonEqual(value as never, lobby[field as keyof Lobby] as never),
  )
  if (changed.length === 0) return accept()
  return accept({ type: 'settings_changed', changes: Object.fromEntries(changed) as LobbyChanges })
}

export function changePlayerState(
  lobby: Lobby,
  command: { playerId: string; by: string; state: JsonObject; merge: boolean },
): LobbyDecision {
  const self = command.playerId === command.by
  if (memberOf(lobby, command.by) === undefined) return notMember(lobby, command.by)
  const member = memberOf(lobby, command.playerId)
  if (member === undefined) return notMember(lobby, command.playerId)
  if (!self && !isHost(lobby, command.by)) {
    return reject(
      'PLAYER_STATE_FORBIDDEN',
      `only ${JSON.stringify(command.playerId)} or the host may change this state`,
    )
  }
  const state = command.merge ? { ...member.state, ...command.state } : command.state
  return stateChange(lobby, member.playerId, member.state, state)
}

function stateChange(lobby: Lobby, playerId: string, before: JsonObject, state: JsonObject): LobbyDecision {
  if (sameText(before, state)) return accept()
  const changed: LobbyEvent = { type: 'player_state_changed', playerId, state }
  return lobby.ticket === null ? accept(changed) : accept<LobbyEvent>(changed, { type: 'ticket_changed' })
}

// Key order is carried through untouched, so another order of the same keys is a change.
const sameText = (a: JsonObject, b: JsonObject) => JSON.stringify(a) === JSON.stringify(b)

export function enqueueLobby(lobby: Lobby, command: { by: string; ticketId: string; at: number }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (!canMove(lobby, 'enqueue')) return wrongState(lobby, 'entering the queue', 'waiting')
  return accept({ type: 'queue_entered', ticketId: command.ticketId, at: command.at })
}

export function cancelMatchmaking(lobby: Lobby, command: { by: string }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  return leaveQueue(lobby, 'cancelled')
}

export function leaveQueue(lobby: Lobby, reason: QueueLeftReason): LobbyDecision {
  if (!canMove(lobby, 'leave_queue')) return wrongState(lobby, 'leaving the queue', 'in_queue')
  return accept({ type: 'queue_left', reason })
}

export function startLobby(lobby: Lobby, command: { by: string; matchId: string }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (!canMove(lobby, 'start')) return wrongState(lobby, 'a direct start', 'waiting')
  return accept({ type: 'lobby_started', matchId: command.matchId })
}

/** Who may end a match is decided by the use case, which knows how many lobbies it holds. */
export function endGame(lobby: Lobby, reason: string): LobbyDecision {
  if (!canMove(lobby, 'end')) return wrongState(lobby, 'ending the match', 'in_game')
  return accept({ type: 'game_ended', reason })
}

/** The host, or a backend that names no player. */
export function deleteLobby(lobby: Lobby, command: { by: string | undefined; backend: boolean }): LobbyDecision {
  const allowed = isHost(lobby, command.by) || (command.backend && command.by === undefined)
  return allowed ? accept({ type: 'lobby_deleted', reason: 'deleted' }) : notHost(lobby, command.by)
}
