import type { RecentPlayer } from '@matchyard/matchmaking'
import { freeFormFault } from '../catalog/free-form'
import { MAX_LOBBY_BYTES } from '../catalog/limits'
import { accept, type Decision, reject, rejectAddressed, rejectInvalid } from '../errors/decision'
import { spokenField } from '../errors/spoken-names'
import { normaliseInviteCode } from '../queue/invite-code'
import type { HostLeaveBehavior } from '../queue/queue'
import type { ServerSummary } from '../server/game-server'
import { counted } from '../shared/counted'
import { type JsonObject, sameText } from '../shared/json'
import { traceOf } from '../shared/trace'
import { answeredBytes, answeredBytesAtMost } from './answered-bytes'
import { carriedOf } from './carried'
import type { DepartureReason, LobbyChanges, LobbyEvent, QueueLeftReason } from './events'
import { canMove } from './evolve'
import type { Ending } from './last-exit'
import type { Lobby, LobbyPlayer } from './lobby'
import { bannedFrom, isHost, memberOf, newMember, successorOf } from './members'
import { giveUpReturn, pendingStay } from './requeue'
import { proposalOf } from './stay'
import { isSameState, type StateSource, stateChanged, WRITTEN_BY_BACKEND, writtenState } from './trusted-state'

type LobbyDecision = Decision<LobbyEvent>

const notHost = (lobby: Lobby, playerId: string | undefined) =>
  reject('NOT_HOST', `player ${JSON.stringify(playerId ?? null)} is not the host of ${lobby.id}`)

const wrongState = (lobby: Lobby, doing: string, allowed: string) =>
  reject(
    'INVALID_LOBBY_STATE',
    `${doing} is possible only while the lobby is ${allowed}; ${lobby.id} is ${lobby.status}`,
    {
      status: lobby.status,
    },
  )

export const notMember = (lobby: Lobby, playerId: string) =>
  reject('PLAYER_NOT_IN_LOBBY', `player ${JSON.stringify(playerId)} is not in ${lobby.id}`)

/**
 * Rejects with PLAYER_NOT_IN_LOBBY a call about a player who is not in the lobby. The kind of the error is `absent`, because the call names
 * a player that the lobby does not contain. A caller who is not a member gets an error of another kind.
 */
export const noSuchPlayer = (lobby: Lobby, playerId: string) =>
  rejectAddressed('PLAYER_NOT_IN_LOBBY', `there is no player ${JSON.stringify(playerId)} in ${lobby.id}`)

/** Decides whether a player may join by lobby id or invite code. A member may join again (docs/http-api.md §6). */
export function decideJoinLobby(
  lobby: Lobby,
  command: {
    playerId: string
    state?: JsonObject
    by: 'id' | { readonly code: string }
    at: number
    source?: StateSource
    byClient?: boolean
  },
): LobbyDecision {
  const { state, source = WRITTEN_BY_BACKEND } = command
  // Between the look-up and this decision, the lobby may have moved to another queue and got another code.
  if (command.by !== 'id' && !hasCode(lobby, command.by.code)) return noSuchCode()
  if (bannedFrom(lobby).includes(command.playerId)) return barred(lobby, command.playerId)
  const member = memberOf(lobby, command.playerId)
  if (member !== undefined && lobby.status === 'waiting') {
    return stateChange(lobby, member, { state, merge: true }, source)
  }
  const written = writtenState(member, { state, merge: true }, source)
  if (!written.ok) return written
  if (command.by === 'id' && lobby.isPrivate) {
    return reject('LOBBY_NOT_ACCEPTING', `${lobby.id} is private; join it with its invite code`)
  }
  if (lobby.status !== 'waiting') {
    return reject(
      'LOBBY_NOT_ACCEPTING',
      `${lobby.id} is ${lobby.status}; players can join a lobby only while it is waiting`,
      {
        status: lobby.status,
      },
    )
  }
  if (lobby.players.length >= lobby.maxPlayers) {
    return reject('LOBBY_FULL', `${lobby.id} is full: it has ${counted(lobby.maxPlayers, 'place')}`)
  }
  return accept({
    type: 'player_joined',
    player: newMember(command.playerId, { state: {}, ...written.events[0] }, command),
  })
}

const barred = (lobby: Lobby, playerId: string) =>
  reject('PLAYER_BANNED', `player ${JSON.stringify(playerId)} is banned from ${lobby.id}`, { scope: 'lobby' })

/** Rejects an unknown invite code with INVALID_INVITE_CODE. The error reveals nothing about any lobby. */
export const noSuchCode = () => reject('INVALID_INVITE_CODE', 'no lobby has this invite code now')

const hasCode = ({ inviteCode }: Lobby, code: string): boolean =>
  inviteCode !== null && normaliseInviteCode(inviteCode) === normaliseInviteCode(code)

/** Removes a player who leaves, is kicked or falls silent. The effects are the same for all three (docs/http-api.md §6). */
export function departFromLobby(
  lobby: Lobby,
  command: { playerId: string; reason: DepartureReason; isExcused?: boolean; hostLeaveBehavior: HostLeaveBehavior },
): LobbyDecision {
  if (memberOf(lobby, command.playerId) === undefined) return notMember(lobby, command.playerId)
  const excused = command.isExcused === true ? ({ excused: true } as const) : {}
  const left: LobbyEvent = { type: 'player_left', playerId: command.playerId, reason: command.reason, ...excused }
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

/** Removes a player. Players can remove themselves, and the host can remove any player. */
export function decideRemovePlayer(
  lobby: Lobby,
  command: { playerId: string; by: string; hostLeaveBehavior: HostLeaveBehavior },
): LobbyDecision {
  const self = command.playerId === command.by
  if (!self && !isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (!self && memberOf(lobby, command.playerId) === undefined) return noSuchPlayer(lobby, command.playerId)
  return departFromLobby(lobby, { ...command, reason: self ? 'left' : 'kicked' })
}

/**
 * Rejects with NOT_HOST unless the player is the host. Some calls check something else between the right of the caller and the state of the
 * lobby; they call this check first (docs/http-api.md §1).
 */
export const hostOnly = (lobby: Lobby, by: string | undefined): Decision<never> =>
  isHost(lobby, by) ? accept() : notHost(lobby, by)

/** Accepts a call by the host, and any call by the project's backend, also in the name of another player. Rejects others with NOT_HOST. */
export const hostOrBackend = (lobby: Lobby, { by, backend }: { by: string | undefined; backend: boolean }) =>
  backend ? accept<never>() : hostOnly(lobby, by)

/** Rejects with PLAYER_NOT_IN_LOBBY unless the player is a member. */
export const memberOnly = (lobby: Lobby, playerId: string): Decision<never> =>
  memberOf(lobby, playerId) === undefined ? notMember(lobby, playerId) : accept()

/**
 * Changes the settings of a waiting lobby. `changes` holds the fields that the caller supplied; the caller of this function has checked
 * them against the queue.
 */
export function changeSettings(lobby: Lobby, command: { by: string; changes: LobbyChanges }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (lobby.status !== 'waiting') return wrongState(lobby, 'changing settings', 'waiting')
  const changed = Object.entries(command.changes).filter(
    ([field, value]) => !sameText(value as never, lobby[field as keyof Lobby] as never),
  )
  if (changed.length === 0) return accept()
  return accept({ type: 'settings_changed', changes: Object.fromEntries(changed) as LobbyChanges })
}

/** Rejects with VALIDATION_FAILED when the lobby has more players than `maxPlayers`. */
export function holdsPlayers(lobby: Lobby, maxPlayers: number): Decision<never> {
  const present = lobby.players.length
  if (maxPlayers >= present) return accept()
  return rejectInvalid([
    { path: 'maxPlayers', message: `must not be below the number of players in the lobby, ${present}` },
  ])
}

export function changePlayerState(
  lobby: Lobby,
  command: { playerId: string; by: string; state: JsonObject; merge: boolean; source?: StateSource },
): LobbyDecision {
  const self = command.playerId === command.by
  if (memberOf(lobby, command.by) === undefined) return notMember(lobby, command.by)
  const member = memberOf(lobby, command.playerId)
  if (member === undefined) return noSuchPlayer(lobby, command.playerId)
  if (!self && !isHost(lobby, command.by)) {
    return reject(
      'PLAYER_STATE_FORBIDDEN',
      `only player ${JSON.stringify(command.playerId)} or the host may change this player state`,
    )
  }
  const { source = WRITTEN_BY_BACKEND } = command
  // A token proves only values of its own player.
  const theirs = self || source.client === undefined ? source : { ...source, client: { proven: {} } }
  return stateChange(lobby, member, command, { ...theirs, isOther: !self || source.client === undefined })
}

function stateChange(
  lobby: Lobby,
  member: LobbyPlayer,
  wish: { state?: JsonObject | undefined; merge: boolean },
  source: StateSource,
): LobbyDecision {
  const written = writtenState(member, wish, source)
  if (!written.ok) return written
  const [after = member] = written.events
  if (isSameState(member, after, source.trusted)) return accept()
  const { state } = after
  // After a merge, the limits of free-form objects apply to the whole merged state (docs/http-api.md §1).
  const fault = freeFormFault(state)
  if (fault !== undefined) return rejectInvalid([{ path: 'state', message: fault }])
  const changed = stateChanged(member.playerId, after)
  return lobby.ticket === null ? accept(changed) : accept<LobbyEvent>(changed, { type: 'ticket_changed' })
}

/** Rejects a change by a player after which the lobby would be larger than MAX_LOBBY_BYTES (docs/http-api.md §6). */
export function withinSize(lobby: Lobby): Decision<never> {
  if (answeredBytesAtMost(lobby) <= MAX_LOBBY_BYTES) return accept()
  const bytes = answeredBytes(lobby)
  if (bytes <= MAX_LOBBY_BYTES) return accept()
  return reject(
    'PAYLOAD_TOO_LARGE',
    `with this change the lobby would have ${bytes} bytes; at most ${MAX_LOBBY_BYTES} bytes are allowed: shorten its settings or player states`,
  )
}

export function decideEnqueueLobby(
  lobby: Lobby,
  command: {
    by: string
    ticketId: string
    at: number
    expiresAt: number
    trace?: string | undefined
    /** Whether a backend makes the call, which vouches for the players. */
    byBackend?: boolean
    recent?: readonly RecentPlayer[] | undefined
  },
): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (!canMove(lobby, 'enqueue')) return wrongState(lobby, 'entering the queue', 'waiting')
  const { ticketId, at, expiresAt, recent } = command
  const carried = carriedOf({ ...(command.byBackend === true ? { vouched: true } : {}), ...(recent ? { recent } : {}) })
  return accept({ type: 'queue_entered', ticketId, at, expiresAt, ...traceOf(command), ...carried })
}

/** Removes a player whose data is erased from the players met, in the lobby's stay in the queue. */
export const forgetMeeting = (lobby: Lobby, playerId: string): LobbyDecision => {
  const { recent = [] } = lobby.ticket ?? proposalOf(lobby) ?? {}
  if (!recent.some((met) => met.playerId === playerId)) return accept()
  return accept<LobbyEvent>({ type: 'meeting_erased', playerId }, { type: 'ticket_changed' })
}

/** Cancels the search. A lobby that the service is about to put back into its queue stays in `waiting`. */
export function decideCancelMatchmaking(lobby: Lobby, command: { by: string }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (pendingStay(lobby) !== undefined) return giveUpReturn(lobby)
  return leaveQueue(lobby, 'cancelled', command.by)
}

/** Takes the lobby out of the queue. `by` is the player who caused this; absent when no player caused it. */
export function leaveQueue(lobby: Lobby, reason: QueueLeftReason, by?: string): LobbyDecision {
  if (!canMove(lobby, 'leave_queue')) return wrongState(lobby, 'leaving the queue', 'in_queue')
  return accept({ type: 'queue_left', reason, ...(by === undefined ? {} : { by }) })
}

export const noInviteCodes = (lobby: Lobby) =>
  reject(
    'INVALID_LOBBY_STATE',
    `queue ${lobby.queueId} of ${lobby.id} has no invite codes (${spokenField('inviteCodeConfig.enabled')})`,
    {
      status: lobby.status,
    },
  )

/** Rejects a call that asks why a lobby waits, when the lobby does not wait. */
export const notWaiting = (lobby: Lobby) =>
  reject('INVALID_LOBBY_STATE', `${lobby.id} is ${lobby.status}; only a lobby in the queue waits for a match`, {
    status: lobby.status,
  })

/** Ends the stay of this ticket in the queue. Nothing changes when the stay has ended or the lobby now has another ticket. */
export const endTicket = (
  lobby: Lobby,
  { ticketId, reason }: { ticketId: string; reason: QueueLeftReason },
): LobbyDecision => (lobby.ticket?.id === ticketId ? leaveQueue(lobby, reason) : accept())

export function decideStartLobby(lobby: Lobby, command: { by: string; matchId: string }): LobbyDecision {
  if (!isHost(lobby, command.by)) return notHost(lobby, command.by)
  if (!canMove(lobby, 'start')) return wrongState(lobby, 'a direct start', 'waiting')
  return accept({ type: 'lobby_started', matchId: command.matchId })
}

/**
 * Lets a lobby of one player join a running match. Rejects with PARTY_TOO_LARGE when the lobby has other players, and with
 * INVALID_LOBBY_STATE when it is not waiting.
 */
export function joinRunningMatch(lobby: Lobby, matchId: string, server: ServerSummary | null): LobbyDecision {
  if (lobby.players.length > 1) {
    const others = counted(lobby.players.length - 1, 'other player')
    return reject('PARTY_TOO_LARGE', `a kept seat is for one player, and ${lobby.id} has ${others}`)
  }
  if (!canMove(lobby, 'start')) return wrongState(lobby, 'joining a match', 'waiting')
  return accept({ type: 'lobby_started', matchId, server })
}

/** Assigns a match to a lobby in the queue. `server` is given when the match already runs and the lobby takes open seats in that match. */
export function matchLobby(lobby: Lobby, matchId: string, server?: ServerSummary | null): LobbyDecision {
  if (!canMove(lobby, 'match')) return wrongState(lobby, 'being matched', 'in_queue')
  return accept({ type: 'lobby_matched', matchId, ...(server === undefined ? {} : { server }) })
}

/**
 * Ends the game of a lobby. The decision about the match has checked the caller's right, because only the match knows how many lobbies it
 * has.
 */
export function endGame(lobby: Lobby, { reason: exit, detail: reason }: Ending): LobbyDecision {
  if (!canMove(lobby, 'end')) return wrongState(lobby, 'ending the match', 'in_game')
  return accept({ type: 'game_ended', exit, reason })
}

/** Deletes the lobby for its host, or for a backend that names no player. */
export function decideDeleteLobby(lobby: Lobby, command: { by: string | undefined; backend: boolean }): LobbyDecision {
  const allowed = isHost(lobby, command.by) || (command.backend && command.by === undefined)
  if (!allowed) return notHost(lobby, command.by)
  return accept({ type: 'lobby_deleted', reason: 'deleted', ...(command.by === undefined ? {} : { by: command.by }) })
}
