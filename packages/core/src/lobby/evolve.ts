import { traceOf } from '../shared/trace'
import { lifeOf } from '../shared/transitions'
import { carriedOf, withoutMet } from './carried'
import { endingOf } from './ending'
import type { LobbyEvent } from './events'
import { countingRequeue, keepingStay, requeuesOf, withoutStay } from './kept-stay'
import { openSeats, quickJoinKeyOf } from './labels'
import type { Lobby, LobbyPlayer, LobbyStatus } from './lobby'
import { bannedFrom } from './members'
import type { LobbyProposal } from './proposal'
import { LOBBY_TRANSITIONS, type LobbyTrigger } from './transitions'

const { canMove, moved } = lifeOf<LobbyStatus, LobbyTrigger>('lobby', LOBBY_TRANSITIONS)

export { canMove }

/** Returns the state of a lobby after an event. Accepts every event and checks nothing. A deleted lobby keeps its last state. */
export function evolveLobby(lobby: Lobby, event: LobbyEvent): Lobby {
  switch (event.type) {
    case 'lobby_created':
      return event.lobby
    case 'settings_changed':
      return { ...(event.changes.queueId === undefined ? lobby : withoutStay(lobby)), ...event.changes }
    case 'player_joined':
      return { ...lobby, players: [...lobby.players, event.player] }
    case 'player_state_changed':
      return {
        ...lobby,
        players: lobby.players.map((player) =>
          player.playerId === event.playerId ? withState(player, event) : player,
        ),
      }
    case 'player_left':
      return { ...lobby, players: lobby.players.filter((player) => player.playerId !== event.playerId) }
    case 'host_changed':
      return { ...lobby, hostPlayerId: event.playerId }
    case 'lobby_ban_added':
      return { ...lobby, banned: [...bannedFrom(lobby), event.playerId] }
    case 'lobby_ban_removed':
      return { ...lobby, banned: bannedFrom(lobby).filter((playerId) => playerId !== event.playerId) }
    case 'queue_entered':
      return {
        ...moved(withoutStay(unheld(lobby)), 'enqueue'),
        lastExit: null,
        ticket: {
          id: event.ticketId,
          version: 1,
          enteredAt: event.at,
          expiresAt: event.expiresAt,
          ...requeuesOf(event),
          ...traceOf(event),
          ...carriedOf(event),
        },
      }
    case 'ticket_changed':
      return lobby.ticket === null
        ? lobby
        : { ...lobby, ticket: { ...lobby.ticket, version: lobby.ticket.version + 1 } }
    case 'meeting_erased':
      return {
        ...withProposal(lobby, (proposal) => withoutMet(proposal, event.playerId)),
        ticket: lobby.ticket && withoutMet(lobby.ticket, event.playerId),
      }
    case 'queue_left':
      return { ...moved(unheld(lobby), 'leave_queue'), ticket: null }
    case 'proposal_opened':
      return { ...moved(lobby, 'propose'), ticket: null, proposal: event.proposal }
    case 'proposal_answered':
      return withProposal(lobby, (proposal) => ({
        ...proposal,
        accepted: event.accepted,
        players: proposal.players.map((player) =>
          player.playerId === event.playerId ? { ...player, answer: 'accepted' } : player,
        ),
      }))
    case 'proposal_counted':
      return withProposal(lobby, (proposal) => ({ ...proposal, accepted: event.accepted }))
    case 'queue_rejoined':
      return rejoined(lobby, event)
    case 'lobby_matched':
      return {
        ...moved(unheld(keepingStay(lobby)), 'match'),
        ticket: null,
        matchId: event.matchId,
        server: event.server ?? null,
      }
    case 'lobby_started':
      return {
        ...moved(withoutStay(lobby), 'start'),
        lastExit: null,
        matchId: event.matchId,
        server: event.server ?? null,
      }
    case 'server_changed':
      return { ...lobby, server: event.server }
    case 'game_began':
      return { ...moved(withoutStay(lobby), 'begin'), server: event.server }
    case 'game_ended':
      return { ...moved(lobby, 'end'), server: null, matchId: null }
    case 'launch_failed':
      return {
        ...moved(event.requeue ? countingRequeue(lobby) : withoutStay(lobby), 'launch_failed'),
        server: null,
        matchId: null,
      }
    case 'requeue_given_up':
      return withoutStay(lobby)
    case 'lobby_deleted':
      return { ...unheld(lobby), ticket: null }
  }
}

function withState(
  { proven: _, hidden: __, ...player }: LobbyPlayer,
  { state, proven, hidden }: Extract<LobbyEvent, { type: 'player_state_changed' }>,
): LobbyPlayer {
  return {
    ...{ ...player, state },
    ...(proven === undefined ? {} : { proven }),
    ...(hidden === undefined ? {} : { hidden }),
  }
}

function unheld(lobby: Lobby): Lobby {
  const { proposal: _, ...rest } = lobby
  return rest
}

const withProposal = (lobby: Lobby, next: (proposal: LobbyProposal) => LobbyProposal): Lobby =>
  lobby.proposal === undefined ? lobby : { ...lobby, proposal: next(lobby.proposal) }

function rejoined(lobby: Lobby, { ticketId, expiresAt }: Extract<LobbyEvent, { type: 'queue_rejoined' }>): Lobby {
  const enteredAt = lobby.proposal?.enteredAt
  if (enteredAt === undefined) throw new Error(`${lobby.id} comes back from a proposal that never held it`)
  return {
    ...moved(unheld(lobby), 'rejoin'),
    ticket: {
      id: ticketId,
      version: 1,
      enteredAt,
      expiresAt,
      ...requeuesOf(lobby.proposal ?? {}),
      ...traceOf(lobby.proposal),
      ...carriedOf(lobby.proposal),
    },
  }
}

/** Returns the lobby after all events of one commit, which together give it one new version. */
export function evolveLobbyAll(lobby: Lobby, events: readonly LobbyEvent[], at: number): Lobby {
  if (events.length === 0) return lobby
  const after = events.reduce(evolveLobby, lobby)
  const moved = after.queueId === lobby.queueId ? {} : { movedAt: at }
  const ending = endingOf(events)
  const exit = ending === undefined ? {} : { lastExit: { ...ending, at } }
  const next = { ...after, ...moved, ...exit, version: lobby.version + 1, updatedAt: at }
  if (next.quickJoinKey === undefined || takesQuickJoins(next)) return next
  const { quickJoinKey: _, ...rest } = next
  return rest
}

/** Whether the lobby still fits the quick-join filter for which it was created and has a free seat. */
const takesQuickJoins = (lobby: Lobby): boolean =>
  openSeats(lobby) > 0 && lobby.quickJoinKey?.startsWith(quickJoinKeyOf(lobby.queueId, lobby.settings)) === true

/** Whether these events delete the lobby. */
export const endsLobby = (events: readonly LobbyEvent[]): boolean => events.some(({ type }) => type === 'lobby_deleted')
